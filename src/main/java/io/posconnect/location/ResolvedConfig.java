package io.posconnect.location;

import io.posconnect.config.SourceConfig;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.ThreadUtils;
import org.apache.kafka.common.utils.Time;
import org.jspecify.annotations.Nullable;

/**
 * Resolves a task's configuration again, for keys that are rotated while it runs. Locations whose
 * keys are refused together share one resolution: the providers are asked for all keys by each, and
 * a service that refuses all keys would otherwise cost the square of the number of locations. One
 * resolution runs at a time, and nobody waits for it longer than half a minute. Safe for several
 * threads.
 */
public final class ResolvedConfig {

  private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);

  private final Supplier<Map<String, String>> resolver;
  private final Time time;
  private final Duration longestWait;

  // Of its own, since nothing can stop a provider that never answers. It ends when idle.
  private final Executor thread =
      new ThreadPoolExecutor(
          0,
          1,
          0,
          TimeUnit.SECONDS,
          new LinkedBlockingQueue<>(),
          ThreadUtils.createThreadFactory("pos-resolve-config", true));

  // At most one waits behind the one that runs, for all who ask meanwhile.
  private @Nullable FutureTask<SourceConfig> latest;
  private boolean begun;
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
   * @throws TimeoutException when that takes too long, or an earlier resolution does
   */
  SourceConfig after(long nanos) throws ExecutionException, InterruptedException, TimeoutException {
    return begunAfter(nanos).get(longestWait.toNanos(), TimeUnit.NANOSECONDS);
  }

  private synchronized FutureTask<SourceConfig> begunAfter(long nanos) {
    if (latest == null || (begun && beganNanos - nanos <= 0)) {
      begun = false;
      latest = new FutureTask<>(this::resolve);
      thread.execute(latest);
    }
    return latest;
  }

  private SourceConfig resolve() {
    begin();
    return SourceConfig.unchecked(resolver.get());
  }

  private synchronized void begin() {
    begun = true;
    beganNanos = time.nanoseconds();
  }
}
