package io.posconnect.location;

import io.posconnect.config.SourceConfig;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a task's configuration again, for keys that are rotated while it runs. Locations whose
 * keys are refused together share one resolution: the providers are asked for all keys by each, and
 * a service that refuses all keys would otherwise cost the square of the number of locations. Safe
 * for several threads.
 */
public final class ResolvedConfig {

  // A provider that never answers holds up the location that asked it, and no other for longer.
  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final Supplier<Map<String, String>> resolver;
  private final Time time;
  private final Duration longestWait;
  private @Nullable FutureTask<SourceConfig> latest;
  private long beganNanos;

  /**
   * @param resolver resolves the configuration; it may take long, and throw anything
   */
  public ResolvedConfig(Supplier<Map<String, String>> resolver, Time time) {
    this(resolver, time, LONGEST_WAIT);
  }

  ResolvedConfig(Supplier<Map<String, String>> resolver, Time time, Duration longestWait) {
    this.resolver = resolver;
    this.time = time;
    this.longestWait = longestWait;
  }

  /**
   * The configuration as it was resolved after that monotonic time, unchecked.
   *
   * @throws ExecutionException whose cause is what a provider has thrown
   * @throws TimeoutException when another location's resolution takes too long
   */
  SourceConfig after(long nanos) throws ExecutionException, InterruptedException, TimeoutException {
    FutureTask<SourceConfig> resolution = begunAfter(nanos);
    resolution.run(); // Does nothing while another thread runs it, or once one has.
    return resolution.get(longestWait.toNanos(), TimeUnit.NANOSECONDS);
  }

  private synchronized FutureTask<SourceConfig> begunAfter(long nanos) {
    if (latest == null || beganNanos - nanos <= 0) {
      beganNanos = time.nanoseconds();
      latest = new FutureTask<>(() -> SourceConfig.unchecked(resolver.get()));
    }
    return latest;
  }
}
