package io.posconnect.validation;

import io.posconnect.client.ApiClient;
import io.posconnect.client.LimitedClient;
import io.posconnect.client.RateLimit;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.SourceConfig;
import io.posconnect.location.ClientFactory;
import io.posconnect.location.LocationLimits;
import io.posconnect.problem.Incident;
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
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.apache.kafka.connect.errors.ConnectException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tries a configuration against the service: the identity of each location's key, and the first
 * rows of each of its streams, all at once and within a fixed time.
 *
 * <p>A fault of the configuration is returned. A fault of the service is one only if a location
 * does not answer to its key at all: the connector is built to wait for a resource that is slow,
 * limited or broken, so that is logged and the configuration accepted. A server that is not the
 * service is always reported in the same words, since a configuration is not a port scanner; the
 * worker's log shows what the server answered.
 *
 * <p>A probe spends the limit of running tasks, so it waits for a slot like them; one that gets
 * none in time is not a fault. Tasks in other processes are unknown here: what a probe takes from
 * them is covered by the share that they leave, a tenth of the limit by default, which from ten
 * requests a minute upwards is at least one.
 *
 * @param budget the time for all probes of a configuration
 */
public record ConnectionValidator(
    ClientFactory clientFactory,
    SharedRateLimits rateLimits,
    Duration budget,
    InstantSource clock) {

  private static final Logger log = LoggerFactory.getLogger(ConnectionValidator.class);

  /**
   * The bound for any number of locations. Silent ones may use up all threads: then the
   * configuration is refused for those, whatever the others would have answered.
   */
  private static final int MOST_THREADS = 16;

  // A slow service fails thousands of requests of a chain's configuration.
  private static final int MOST_LOGGED = 10;

  /** Returns faults of the transport, such as an unreadable store; sends no request. */
  public List<Incident> transportFaults(SourceConfig config) {
    for (String location : config.locations()) {
      try {
        clientFactory.create(config, location).close();
      } catch (IllegalArgumentException e) {
        return List.of(config.connectionFault(e));
      }
    }
    return List.of();
  }

  /** Returns what the service shows to be wrong with a configuration that is consistent. */
  public List<Incident> faults(SourceConfig config) {
    List<Incident> untried = new ArrayList<>();
    List<Incident> faults = faults(config, untried::add);
    logSome(
        untried, failure -> log.warn("{} (the configuration is accepted nevertheless)", failure));
    return faults;
  }

  /** One service that is down has a line for each location otherwise, at each validation. */
  private static void logSome(List<Incident> failures, Consumer<Incident> line) {
    failures.stream().limit(MOST_LOGGED).forEach(line);
    if (failures.size() > MOST_LOGGED) {
      log.info("Validation: {} more failures of this kind", failures.size() - MOST_LOGGED);
    }
  }

  /** Finds the same faults, and passes on each failure that is no fault of the configuration. */
  public List<Incident> faults(SourceConfig config, Consumer<Incident> untried) {
    Map<String, ApiClient> clients = new LinkedHashMap<>();
    List<RateLimit> limits = new ArrayList<>();
    try (ProbeRunner runner = new ProbeRunner(budget, MOST_THREADS)) {
      for (String location : config.locations()) {
        clients.put(location, clientFactory.create(config, location));
      }
      List<PendingProbe> pending = new ArrayList<>();
      for (Probe probe : probes(config)) {
        RateLimit limit = limit(config, probe);
        limits.add(limit);
        ApiClient client = Objects.requireNonNull(clients.get(probe.stream().location()));
        pending.add(
            runner.submit(
                probe, new LimitedClient(client, limit, config.retryPolicy(), System::nanoTime)));
      }
      return faults(config, pending, untried);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ConnectException("interrupted while trying the configuration", e);
    } finally {
      clients.values().forEach(ApiClient::close);
      limits.forEach(RateLimit::close);
    }
  }

  /** The identities first: they decide about the rest. */
  private List<Probe> probes(SourceConfig config) {
    Instant now = clock.instant();
    Set<Stream> streams = new LinkedHashSet<>();
    config.locations().forEach(name -> streams.add(new Stream(name, Catalog.IDENTITY)));
    streams.addAll(config.streams());
    return streams.stream()
        .flatMap(stream -> Probe.of(config.settings(stream), config.key(stream), now).stream())
        .toList();
  }

  private RateLimit limit(SourceConfig config, Probe probe) {
    return rateLimits.temporary(
        LocationLimits.limit(config, probe.stream(), probe.reading().request().path()),
        System.nanoTime());
  }

  private static List<Incident> faults(
      SourceConfig config, List<PendingProbe> pending, Consumer<Incident> untried)
      throws InterruptedException {
    Set<String> identified = new HashSet<>();
    Set<String> withoutIdentity = new HashSet<>();
    List<Incident> strangers = new ArrayList<>();
    Map<String, Incident> faults = new LinkedHashMap<>();
    for (PendingProbe each : pending) {
      Stream stream = each.probe().stream();
      boolean isIdentity = each.probe().target() == Target.IDENTITY;
      Optional<Failure> failure = each.await(identified.contains(stream.location()));
      if (failure.isEmpty() && isIdentity) {
        identified.add(stream.location());
      }
      if (failure.isEmpty() || withoutIdentity.contains(stream.location())) {
        continue;
      }
      if (failure.get() instanceof Failure.Passing passing) {
        untried.accept(passing.incident());
      } else if (failure.get() instanceof Failure.Conclusive conclusive) {
        conclusive.logged().ifPresent(strangers::add);
        Incident fault = config.fault(conclusive.problem(), stream, conclusive.detail());
        // A setting of a resource holds for all locations: one fault is enough.
        faults.putIfAbsent(fault.subject() + " " + stream.resource(), fault);
        if (isIdentity) {
          withoutIdentity.add(stream.location());
        }
      }
    }
    // Without the remedy, which is for a running connector.
    logSome(
        strangers,
        found -> log.warn("{} {} (found by a validation)", found.code(), found.observed()));
    return List.copyOf(faults.values());
  }
}
