package io.posconnect.validation;

import io.posconnect.client.ApiClient;
import io.posconnect.client.RateLimit;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.Fault;
import io.posconnect.config.FaultySetting;
import io.posconnect.config.SourceConfig;
import io.posconnect.config.SourceConfig.LocationSettings;
import io.posconnect.location.ClientFactory;
import io.posconnect.location.ClientFactory.Dialler;
import io.posconnect.location.Closing;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Stream;
import io.posconnect.validation.Probe.Aim;
import io.posconnect.validation.Probe.Finding;
import io.posconnect.validation.ProbeRunner.Look;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries a configuration against the service: the identity of each location's key, and the cheapest
 * look at each of its streams, all at once and within a fixed time.
 *
 * <p>What is wrong with the configuration is a fault. What is wrong with the service for now is one
 * only if a location does not answer to its key at all: a single resource that is slow, limited or
 * broken is no reason to refuse a connector that is built to wait for it, and is logged.
 *
 * <p>A look spends the limit that running tasks live on, so it waits for a slot like them; one that
 * gets none in time is no fault. Of tasks in other processes nothing is known here: what a look
 * takes from them is covered by the share that they leave, a tenth of the limit by default, which
 * from ten requests a minute upwards is at least one.
 */
public final class ConnectionValidator {

  private static final Logger log = LoggerFactory.getLogger(ConnectionValidator.class);

  /** Beside one for each location, so that no silent one keeps another from being asked. */
  private static final int MORE_THREADS = 32;

  private final Dialler dialler;
  private final SharedRateLimits rateLimits;
  private final Duration budget;
  private final InstantSource clock;

  public ConnectionValidator(
      Dialler dialler, SharedRateLimits rateLimits, Duration budget, InstantSource clock) {
    this.dialler = dialler;
    this.rateLimits = rateLimits;
    this.budget = budget;
    this.clock = clock;
  }

  /** What speaks against a configuration that is consistent in itself. */
  public List<Fault> faults(SourceConfig config) {
    List<Probe> probes = probes(config);
    Map<String, ApiClient> clients = new LinkedHashMap<>();
    Closing limiters = new Closing();
    try (ProbeRunner round = new ProbeRunner(budget, config.locations().size() + MORE_THREADS)) {
      for (String location : config.locations()) {
        try {
          clients.put(location, dialler.connect(config, config.location(location)));
        } catch (IllegalArgumentException e) {
          Stream identity = new Stream(location, Catalog.IDENTITY);
          return List.of(
              config.fault(FaultySetting.STORES, identity, String.valueOf(e.getMessage())));
        }
      }
      List<Look> looks = new ArrayList<>();
      for (Probe probe : probes) {
        ApiClient client = Objects.requireNonNull(clients.get(probe.stream().location()));
        looks.add(round.begin(probe, client, limiters.add(limiter(config, probe))));
      }
      return verdict(config, findings(looks));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("interrupted while trying the configuration", e);
    } finally {
      clients.values().forEach(ApiClient::close);
      limiters.close();
    }
  }

  /** The identities first: what they say decides about the rest. */
  private List<Probe> probes(SourceConfig config) {
    List<Probe> probes = new ArrayList<>();
    for (String location : config.locations()) {
      Stream identity = new Stream(location, Catalog.IDENTITY);
      probes.add(Probe.identity(identity, config.resource(identity)));
    }
    Instant now = clock.instant();
    for (Stream stream : config.streams()) {
      if (!stream.resource().equals(Catalog.IDENTITY)) {
        probes.addAll(Probe.of(stream, config.resource(stream), now));
      }
    }
    return probes;
  }

  private RateLimit limiter(SourceConfig config, Probe probe) {
    LocationSettings location = config.location(probe.stream().location());
    SharedRateLimits.Limit limit =
        new SharedRateLimits.Limit(
            location.baseUrl(),
            ClientFactory.credentials(location),
            probe.request().path(),
            config.resource(probe.stream()).requestsPerMinute(),
            config.rateLimitShare());
    return rateLimits.guest(limit, System.nanoTime());
  }

  private static Map<Probe, Finding> findings(List<Look> looks) throws InterruptedException {
    Map<Probe, Finding> findings = new LinkedHashMap<>();
    for (Look look : looks) {
      look.finding().ifPresent(finding -> findings.put(look.probe(), finding));
    }
    return findings;
  }

  private static List<Fault> verdict(SourceConfig config, Map<Probe, Finding> findings) {
    Set<String> mute = new HashSet<>();
    Map<String, Fault> faults = new LinkedHashMap<>();
    findings.forEach(
        (probe, finding) -> {
          Stream stream = probe.stream();
          if (mute.contains(stream.location())) {
            return;
          }
          if (!finding.conclusive()) {
            log.warn("Trying {}: {}; accepted nevertheless", stream, finding.observed());
            return;
          }
          Fault fault = config.fault(finding.blame(), stream, finding.observed());
          // One setting of a resource stands for all locations: once is enough.
          faults.putIfAbsent(fault.setting() + " " + stream.resource(), fault);
          if (probe.aim() == Aim.IDENTITY) {
            mute.add(stream.location());
          }
        });
    return List.copyOf(faults.values());
  }
}
