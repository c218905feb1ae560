package io.posconnect.validation;

import io.posconnect.client.ApiException;
import io.posconnect.client.LimitedClient;
import io.posconnect.validation.Probe.Failure;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.common.utils.ThreadUtils;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * Sends probes side by side, each when its limit has a slot, and waits for none beyond a fixed
 * time.
 */
final class ProbeRunner implements AutoCloseable {

  private final Duration budget;
  private final long endNanos;
  private final ExecutorService threads;

  /**
   * @param budget for all of them, from now on
   * @param threadCount how many may be under way at once; those that wait for a slot are not
   */
  ProbeRunner(Duration budget, int threadCount) {
    this.budget = budget;
    endNanos = System.nanoTime() + budget.toNanos();
    threads =
        Executors.newFixedThreadPool(
            threadCount, ThreadUtils.createThreadFactory("pos-validation-%d", true));
  }

  /** Begins a probe; those that are submitted first are sent first. */
  PendingProbe submit(Probe probe, LimitedClient client) {
    PendingProbe pending = new PendingProbe(probe, client);
    threads.execute(pending);
    return pending;
  }

  /** One probe that waits for its slot or for its answer. */
  final class PendingProbe implements Runnable {

    private final Probe probe;
    private final LimitedClient client;
    private final CompletableFuture<Optional<Failure>> outcome = new CompletableFuture<>();
    private boolean waited;

    // What it means that no answer comes in time.
    private volatile Failure silence;

    private PendingProbe(Probe probe, LimitedClient client) {
      this.probe = probe;
      this.client = client;
      this.silence = probe.unsent(budget, false);
    }

    @Override
    public void run() {
      try {
        long wait = client.tryAcquire();
        long left = endNanos - System.nanoTime();
        waited |= wait > 0;
        silence = probe.unsent(budget, waited);
        if (wait > left) {
          outcome.complete(Optional.of(silence));
        } else if (wait > 0) {
          CompletableFuture.delayedExecutor(wait, TimeUnit.NANOSECONDS, threads).execute(this);
        } else {
          silence = probe.unanswered(budget, waited || left < budget.toNanos() / 2);
          outcome.complete(probe.send(client));
        }
      } catch (ApiException | RuntimeException | Error e) {
        outcome.completeExceptionally(e);
      }
    }

    Probe probe() {
      return probe;
    }

    /**
     * Returns the failure of the probe, once it is known or the time is up. A location is not at
     * fault when a wait for a slot or a thread shortened its time to answer.
     *
     * @param identified whether the identity of its location accepts the key
     */
    Optional<Failure> await(boolean identified) throws InterruptedException {
      long left = Math.max(0, endNanos - System.nanoTime());
      try {
        return outcome.get(left, TimeUnit.NANOSECONDS);
      } catch (TimeoutException e) {
        return Optional.of(silence);
      } catch (ExecutionException e) {
        if (e.getCause() instanceof ApiException met) {
          return Optional.of(probe.failure(met, identified));
        }
        throw new ConnectException("the probe of " + probe.stream() + " broke down", e.getCause());
      }
    }
  }

  @Override
  public void close() {
    threads.shutdownNow();
  }
}
