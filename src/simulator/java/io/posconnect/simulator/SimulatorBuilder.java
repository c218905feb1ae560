package io.posconnect.simulator;

import java.time.Duration;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import javax.net.ssl.SSLContext;

/** Sets how a {@link Simulator} differs from the usual one; everything has a default. */
public final class SimulatorBuilder {

  String host = "127.0.0.1";
  int port;
  InstantSource clock = InstantSource.system();
  LongSupplier nanos = System::nanoTime;
  String password = "";
  Optional<SSLContext> tls = Optional.empty();
  boolean needsClientCertificate;
  int firstPage = 1;
  int maxPageSize = 100;
  int maxKeyPageSize = 100;
  int servedPageSize = Integer.MAX_VALUE;
  int statusBehindLastPage = 200;
  boolean needsBothBounds;
  Optional<Duration> longestRange = Optional.empty();
  boolean fromInclusive;
  boolean toInclusive;
  boolean keepsHistory = true;
  Optional<String> detailFlag = Optional.empty();
  Set<String> detailFields = Set.of();
  private final Map<String, Endpoint> endpoints = new LinkedHashMap<>();

  SimulatorBuilder() {
    Endpoint.published().forEach(this::endpoint);
  }

  List<Endpoint> endpoints() {
    return List.copyOf(endpoints.values());
  }

  /** A name or address of this machine; by default only the machine itself can connect. */
  public SimulatorBuilder host(String value) {
    host = Objects.requireNonNull(value, "host is null");
    return this;
  }

  /** 0, the default, takes a free one. */
  public SimulatorBuilder port(int value) {
    port = value;
    return this;
  }

  /** The clock of rows and {@code Date} headers. */
  public SimulatorBuilder clock(InstantSource value) {
    clock = Objects.requireNonNull(value, "clock is null");
    return this;
  }

  /** The monotonic clock of the rate limits, in nanoseconds. */
  public SimulatorBuilder ticker(LongSupplier value) {
    nanos = Objects.requireNonNull(value, "ticker is null");
    return this;
  }

  /** Adds an endpoint, or replaces the one with that path. */
  public SimulatorBuilder endpoint(Endpoint endpoint) {
    endpoints.put(endpoint.path(), endpoint);
    return this;
  }

  public SimulatorBuilder limit(String path, int requestsPerMinute) {
    Endpoint endpoint = endpoints.get(path);
    if (endpoint == null) {
      throw new IllegalArgumentException("the service has no " + path);
    }
    return endpoint(endpoint.withLimit(requestsPerMinute));
  }

  /** Takes all limits away. */
  public SimulatorBuilder unlimited() {
    endpoints.replaceAll((path, endpoint) -> endpoint.withLimit(Integer.MAX_VALUE));
    return this;
  }

  /** Key-based paging: the most rows of a page (100). */
  public SimulatorBuilder maxKeyPageSize(int max) {
    maxKeyPageSize = max;
    return this;
  }

  /** Numbered pages hold no more rows than this, whatever is asked for. */
  public SimulatorBuilder servesPagesOf(int rows) {
    servedPageSize = rows;
    return this;
  }

  /** A page behind the last one is refused with this status; by default it is empty. */
  public SimulatorBuilder refusesBehindLastPage(int status) {
    statusBehindLastPage = status;
    return this;
  }

  /** Refuses a date range that lacks a bound; by default both are optional. */
  public SimulatorBuilder needsBothBounds() {
    needsBothBounds = true;
    return this;
  }

  /** Refuses a longer date range, an open one included; by default there is no limit. */
  public SimulatorBuilder longestRange(Duration span) {
    longestRange = Optional.of(span);
    return this;
  }

  /** Returns rows modified exactly at a bound; by default at neither. */
  public SimulatorBuilder inclusive(boolean from, boolean to) {
    fromInclusive = from;
    toInclusive = to;
    return this;
  }

  /** The password of HTTP Basic; by default it must be empty. */
  public SimulatorBuilder password(String value) {
    password = value;
    return this;
  }

  /** HTTPS with this identity. */
  public SimulatorBuilder tls(SSLContext context, boolean needClientCertificate) {
    tls = Optional.of(context);
    needsClientCertificate = needClientCertificate;
    return this;
  }

  /** Shows these fields only to requests with that parameter and the value {@code true}. */
  public SimulatorBuilder detailsFor(String flag, String... fields) {
    detailFlag = Optional.of(flag);
    detailFields = Set.of(fields);
    return this;
  }

  /** Keeps no {@link ResponseHistory}: it costs memory for every row ever shown. */
  public SimulatorBuilder withoutHistory() {
    keepsHistory = false;
    return this;
  }

  public Simulator start() {
    return new Simulator(this);
  }
}
