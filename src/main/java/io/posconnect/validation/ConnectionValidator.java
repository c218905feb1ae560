package io.posconnect.validation;

import io.posconnect.client.ApiClient;
import io.posconnect.client.RateLimit;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.Fault;
import io.posconnect.config.FaultySetting;
import io.posconnect.config.SourceConfig;
import io.posconnect.config.SourceConfig.LocationSettings;
import io.posconnect.location.ClientFactory;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Stream;
import io.posconnect.validation.Probe.Failure;
import io.posconnect.validation.Probe.Target;
import io.posconnect.validation.ProbeRunner.PendingProbe;
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
 * read of each of its streams, all at once and within a fixed time.
 *
 * <p>What is wrong with the configuration is a fault. What is wrong with the service for now is one
 * only if a location does not answer to its key at all: a single resource that is slow, limited or
 * broken is no reason to refuse a connector that is built to wait for it, and is logged. Whoever
 * does not answer as the service does is told in the same words, whatever came instead: a
 * configuration is no port scanner. What came is in the worker's log.
 *
 * <p>A probe spends the limit that running tasks live on, so it waits for a slot like them; one
 * that gets none in time is no fault. Of tasks in other processes nothing is known here: what a
 * probe takes from them is covered by the share that they leave, a tenth of the limit by default,
 * which from ten requests a minute upwards is at least one.
 */
public final class ConnectionValidator {

  private static final Logger log = LoggerFactory.getLogger(ConnectionValidator.class);

  /**
   * However many locations there are. Silent ones may use them up: then the configuration is
   * refused for those, whatever the others would have said.
   */
  private static final int MOST_THREADS = 16;

  private final ClientFactory clientFactory;
  private final SharedRateLimits rateLimits;
  private final Duration budget;
  private final InstantSource clock;

  public ConnectionValidator(
      ClientFactory clientFactory,
      SharedRateLimits rateLimits,
      Duration budget,
      InstantSource clock) {
    this.clientFactory = clientFactory;
    this.rateLimits = rateLimits;
    this.budget = budget;
    this.clock = clock;
  }

  /**
   * What speaks against the settings of the transport, such as an unreadable store; asks nobody.
   */
  public List<Fault> transportFaults(SourceConfig config) {
    for (String location : config.locations()) {
      try {
        clientFactory.create(config, config.location(location)).close();
      } catch (IllegalArgumentException e) {
        Stream identity = new Stream(location, Catalog.IDENTITY);
        return List.of(
            config.fault(FaultySetting.STORES, identity, String.valueOf(e.getMessage())));
      }
    }
    return List.of();
  }

  /** What the service says against a configuration that is consistent in itself. */
  public List<Fault> faults(SourceConfig config) {
    Map<String, ApiClient> clients = new LinkedHashMap<>();
    List<RateLimit> limiters = new ArrayList<>();
    try (ProbeRunner runner = new ProbeRunner(budget, MOST_THREADS)) {
      for (String location : config.locations()) {
        clients.put(location, clientFactory.create(config, config.location(location)));
      }
      List<PendingProbe> pending = new ArrayList<>();
      for (Probe probe : probes(config)) {
        ApiClient client = Objects.requireNonNull(clients.get(probe.stream().location()));
        RateLimit limiter = limiter(config, probe);
        limiters.add(limiter);
        pending.add(runner.submit(probe, client, limiter));
      }
      return faults(config, failures(pending));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("interrupted while trying the configuration", e);
    } finally {
      clients.values().forEach(ApiClient::close);
      limiters.forEach(RateLimit::close);
    }
  }

  /** The identities first: what they say decides about the rest. */
  private List<Probe> probes(SourceConfig config) {
    Instant now = clock.instant();
    List<Probe> probes = new ArrayList<>();
    for (String location : config.locations()) {
      Stream identity = new Stream(location, Catalog.IDENTITY);
      probes.add(Probe.identity(identity, config.resource(identity), now));
    }
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

  private static Map<Probe, Failure> failures(List<PendingProbe> pending)
      throws InterruptedException {
    Map<Probe, Failure> failures = new LinkedHashMap<>();
    for (PendingProbe each : pending) {
      each.await().ifPresent(failure -> failures.put(each.probe(), failure));
    }
    return failures;
  }

  private static List<Fault> faults(SourceConfig config, Map<Probe, Failure> failures) {
    Set<String> withoutIdentity = new HashSet<>();
    Map<String, Fault> faults = new LinkedHashMap<>();
    failures.forEach(
        (probe, failure) -> {
          Stream stream = probe.stream();
          if (withoutIdentity.contains(stream.location())) {
            return;
          }
          if (!failure.conclusive()) {
            log.warn("{} (the configuration is accepted nevertheless)", failure.told());
            return;
          }
          if (!failure.logged().isEmpty()) {
            log.warn("{} (found while a configuration was tried)", failure.logged());
          }
          Fault fault = config.fault(failure.setting(), stream, failure.told());
          // One setting of a resource stands for all locations: once is enough.
          faults.putIfAbsent(fault.setting() + " " + stream.resource(), fault);
          if (probe.target() == Target.IDENTITY) {
            withoutIdentity.add(stream.location());
          }
        });
    return List.copyOf(faults.values());
  }
}
