package io.posconnect.validation;

import io.posconnect.client.ApiClient;
import io.posconnect.client.RateLimit;
import io.posconnect.validation.Probe.Finding;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Looks that begin together, each sent when its limit has a slot for it, and none waited for beyond
 * a fixed time.
 */
public final class ProbeRunner implements AutoCloseable {

  private static final AtomicInteger THREADS = new AtomicInteger();

  private final Duration budget;
  private final long endNanos;
  private final ExecutorService threads;

  /**
   * @param budget for all of it, from now on
   * @param threadCount how many may be under way at once; those that wait for a slot are not
   */
  ProbeRunner(Duration budget, int threadCount) {
    this.budget = budget;
    endNanos = System.nanoTime() + budget.toNanos();
    threads = Executors.newFixedThreadPool(threadCount, ProbeRunner::thread);
  }

  /** Begins a look; those that begin first are sent first. */
  Look begin(Probe probe, ApiClient client, RateLimit limiter) {
    Look look = new Look(probe, client, limiter);
    threads.execute(look);
    return look;
  }

  /** One look of the round. */
  final class Look implements Runnable {

    private final Probe probe;
    private final ApiClient client;
    private final RateLimit limiter;
    private final CompletableFuture<Optional<Finding>> answer = new CompletableFuture<>();
    private volatile boolean waited;
    private volatile boolean sent;

    private Look(Probe probe, ApiClient client, RateLimit limiter) {
      this.probe = probe;
      this.client = client;
      this.limiter = limiter;
    }

    @Override
    public void run() {
      try {
        long wait = limiter.tryAcquire(System.nanoTime());
        if (wait > 0) {
          waited = true;
          CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS, threads).execute(this);
          return;
        }
        sent = true;
        answer.complete(probe.look(client, limiter));
      } catch (RuntimeException | Error e) {
        answer.completeExceptionally(e);
      }
    }

    Probe probe() {
      return probe;
    }

    /**
     * What it found, once it is known or the time is up. Who did not answer within a time that a
     * wait for a slot had shortened is not to blame.
     */
    Optional<Finding> finding() throws InterruptedException {
      long left = Math.max(0, endNanos - System.nanoTime());
      try {
        return answer.get(left, TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        return Optional.of(sent ? probe.silence(budget, waited) : probe.crowdedOut(budget));
      } catch (ExecutionException e) {
        throw new ConnectException("trying " + probe.stream() + " failed", e.getCause());
      }
    }
  }

  /** Sends nothing more. */
  @Override
  public void close() {
    threads.shutdownNow();
  }

  private static Thread thread(Runnable look) {
    Thread thread = new Thread(look, "pos-trial-" + THREADS.incrementAndGet());
    thread.setDaemon(true);
    return thread;
  }
}
