package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.posconnect.metrics.RequestMetrics.Outcome;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.common.utils.MockTime;
import org.junit.jupiter.api.Test;

class StreamMetricsTest {

  private static final Incident REFUSED = Problem.KEY_REFUSED.incident("downtown/products: 401");
  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final MockTime time = new MockTime(0, NOW.toEpochMilli(), 7_000_000_000L);
  private final StreamMetrics metrics = new StreamMetrics(time);

  @Test
  void beginsWithZeroAndMinusOneForUnknown() {
    assertThat(read("requests-total")).isZero();
    assertThat(read("suspended")).isZero();
    assertThat(Readings.read(metrics, "suspension-reason")).isEqualTo("");
    assertThat(read("suspended-since-epoch-ms")).isEqualTo(-1);
    assertThat(read("last-fetch-rows")).isEqualTo(-1);
    assertThat(read("last-fetch-duration-ms")).isEqualTo(-1);
    assertThat(read("watermark-epoch-ms")).isEqualTo(-1);
    assertThat(read("watermark-lag-ms")).isEqualTo(-1);
  }

  @Test
  void countsEachKindOfEvent() {
    metrics.emitted(1, 4, 2, 3);

    assertThat(read("events-created-total")).isEqualTo(1);
    assertThat(read("events-updated-total")).isEqualTo(2);
    assertThat(read("events-deleted-total")).isEqualTo(3);
    assertThat(read("events-read-total")).isEqualTo(4);
  }

  @Test
  void addsUpFetchesAndShowsLastOne() {
    metrics.completed(100, 60, 3, Duration.ofSeconds(9));
    metrics.rejected(2);
    metrics.completed(10, 6, 1, Duration.ofMillis(250));

    assertThat(read("fetches-total")).isEqualTo(2);
    assertThat(read("rows-received-total")).isEqualTo(110);
    assertThat(read("suppressed-total")).isEqualTo(66);
    assertThat(read("type-mismatches-total")).isEqualTo(4);
    assertThat(read("dead-letters-total")).isEqualTo(2);
    assertThat(read("last-fetch-rows")).isEqualTo(10);
    assertThat(read("last-fetch-duration-ms")).isEqualTo(250);
  }

  @Test
  void countsRequestsByOutcomeAndResponseTime() {
    for (int request = 1; request <= 100; request++) {
      metrics.requests().sent();
      metrics.requests().answered(Duration.ofMillis(request * 10L));
    }
    metrics.requests().ended(Outcome.THROTTLED);
    metrics.requests().ended(Outcome.REFUSED);
    metrics.requests().ended(Outcome.REFUSED);
    metrics.requests().ended(Outcome.FAILED);
    metrics.requests().received(1_000);
    metrics.requests().delayed(2_000_000_000L);

    assertThat(read("requests-throttled-total")).isEqualTo(1);
    assertThat(read("requests-refused-total")).isEqualTo(2);
    assertThat(read("requests-failed-total")).isEqualTo(1);
    assertThat(read("retries-total")).isEqualTo(4);
    assertThat(read("bytes-received-total")).isEqualTo(1_000);
    assertThat(read("limit-wait-ms-total")).isEqualTo(2_000);
    assertThat(read("response-time-p50-ms")).isBetween(450L, 550L);
    assertThat(read("response-time-p99-ms")).isBetween(900L, 1_100L);
  }

  @Test
  void showsIntervalAndOverdueTime() {
    metrics.configured(Duration.ofSeconds(30), 5_000);
    metrics.completed(1, 0, 0, Duration.ZERO);
    time.sleep(29_000);
    assertThat(read("interval-ms")).isEqualTo(30_000);
    assertThat(read("digest-keys-max")).isEqualTo(5_000);
    assertThat(read("overdue-ms")).isZero();
    time.sleep(91_000);
    assertThat(read("overdue-ms")).isEqualTo(90_000);
  }

  @Test
  void showsProgressOfSnapshot() {
    assertThat(read("snapshot-running")).isZero();
    metrics.snapshotProgressed(1_200, Duration.ofDays(3));
    assertThat(read("snapshot-running")).isEqualTo(1);
    assertThat(read("snapshot-rows")).isEqualTo(1_200);
    assertThat(read("backfill-remaining-ms")).isEqualTo(Duration.ofDays(3).toMillis());
    metrics.snapshotCompleted();
    assertThat(read("snapshot-running")).isZero();
    assertThat(read("backfill-remaining-ms")).isZero();
  }

  @Test
  void measuresTimeSinceLastFetchOrStart() {
    time.sleep(5_000);
    assertThat(read("millis-since-last-fetch")).isEqualTo(5_000);

    metrics.completed(0, 0, 0, Duration.ZERO);
    time.sleep(30);
    assertThat(read("millis-since-last-fetch")).isEqualTo(30);
  }

  @Test
  void ignoresStepOfLocalClockInAgeOfLastFetch() {
    AtomicLong step = new AtomicLong();
    StreamMetrics stepped =
        new StreamMetrics(
            new MockTime() {
              @Override
              public long milliseconds() {
                return super.milliseconds() + step.get();
              }
            });
    stepped.completed(1, 0, 0, Duration.ZERO);
    step.set(Duration.ofDays(1).toMillis());

    assertThat(Readings.number(stepped, "millis-since-last-fetch")).isZero();
  }

  @Test
  void measuresLagOnServersClock() {
    metrics.skewed(Duration.ofSeconds(-40));
    metrics.watermark(NOW.minusSeconds(100));

    assertThat(read("clock-skew-ms")).isEqualTo(-40_000);
    assertThat(read("watermark-epoch-ms")).isEqualTo(NOW.minusSeconds(100).toEpochMilli());
    assertThat(read("watermark-lag-ms")).isEqualTo(60_000);
  }

  @Test
  void showsNoNegativeLag() {
    metrics.watermark(NOW.plusSeconds(5));

    assertThat(read("watermark-lag-ms")).isZero();
  }

  @Test
  void showsDigestAndHeldDeletes() {
    metrics.digest(4_711);
    metrics.deletesPending(12);

    assertThat(read("digest-keys")).isEqualTo(4_711);
    assertThat(read("deletes-pending")).isEqualTo(12);

    metrics.deletesPending(0);
    assertThat(read("deletes-pending")).isZero();
  }

  @Test
  void showsUnreadableRowsAndKeysHeldBecauseOfThem() {
    metrics.unreadable(3, 2);

    assertThat(read("unreadable-rows")).isEqualTo(3);
    assertThat(read("deletes-uncertain")).isEqualTo(2);
  }

  @Test
  void keepsStartOfSuspensionWhenReasonChanges() {
    metrics.suspended(Problem.PERMISSION_MISSING.incident("downtown/products: 403"));
    time.sleep(60_000);
    Incident latest = Problem.PATH_UNKNOWN.incident("downtown/products: 404");
    metrics.suspended(latest);

    assertThat(read("suspended")).isEqualTo(1);
    assertThat(read("suspension-code")).isEqualTo(206);
    assertThat(Readings.read(metrics, "suspension-reason")).isEqualTo(latest.toString());
    assertThat(read("suspended-since-epoch-ms")).isEqualTo(NOW.toEpochMilli());
  }

  @Test
  void clearsSuspensionOnResume() {
    metrics.suspended(REFUSED);
    metrics.resumed();
    assertThat(read("suspended")).isZero();
    assertThat(Readings.read(metrics, "suspension-reason")).isEqualTo("");

    time.sleep(1_000);
    metrics.suspended(REFUSED);
    assertThat(read("suspended-since-epoch-ms")).isEqualTo(NOW.plusSeconds(1).toEpochMilli());
  }

  @Test
  void showsReasonAsOneShortLine() {
    metrics.suspended(
        Problem.REQUEST_REFUSED.incident(
            "downtown/products: 422", "refused\r\n\t{\u0000" + "x".repeat(10_000)));

    assertThat((String) Readings.read(metrics, "suspension-reason"))
        .startsWith("POS-207 downtown/products: 422: refused { xxx")
        .hasSize(500)
        .endsWith("…");
  }

  @Test
  void showsRateOfLastWindowsAndThenZero() {
    for (int second = 0; second < 300; second++) {
      metrics.requests().sent();
      metrics.requests().sent();
      time.sleep(1_000);
    }
    assertThat(rate("requests-rate")).isCloseTo(2, within(0.1));

    time.sleep(Duration.ofMinutes(2).toMillis());
    assertThat(rate("requests-rate")).isZero();
    assertThat(read("requests-total")).isEqualTo(600);
  }

  @Test
  void showsRateThatWasNotReadForLong() {
    for (int fetch = 0; fetch < 60; fetch++) {
      metrics.requests().sent();
      for (int row = 0; row < 10; row++) {
        metrics.emitted(1, 1, 1, 1);
      }
      metrics.completed(100, 60, 0, Duration.ofSeconds(1));
      time.sleep(10_000);
    }

    assertThat(rate("events-rate")).isCloseTo(4, within(0.9));
    assertThat(rate("rows-received-rate")).isCloseTo(10, within(2.1));
  }

  @Test
  void showsRateOfEventsDuringLongFetch() {
    metrics.requests().sent();
    for (int row = 0; row < 3_000; row++) {
      metrics.emitted(0, 1, 0, 0);
    }

    assertThat(rate("events-rate")).isCloseTo(100, within(0.1));
    assertThat(rate("rows-received-rate")).isZero();
  }

  @Test
  void losesNoCountBetweenThreads() throws InterruptedException {
    ExecutorService threads = Executors.newFixedThreadPool(4);
    CountDownLatch start = new CountDownLatch(1);
    for (int i = 0; i < 4; i++) {
      threads.execute(
          () -> {
            try {
              start.await();
            } catch (InterruptedException e) {
              throw new AssertionError(e);
            }
            for (int j = 0; j < 10_000; j++) {
              metrics.requests().sent();
              metrics.requests().ended(Outcome.FAILED);
              metrics.emitted(1, 0, 0, 0);
            }
          });
    }
    start.countDown();
    threads.shutdown();

    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(read("requests-total")).isEqualTo(40_000);
    assertThat(read("retries-total")).isEqualTo(40_000);
    assertThat(read("events-created-total")).isEqualTo(40_000);
  }

  private long read(String name) {
    return Readings.number(metrics, name);
  }

  private double rate(String name) {
    return (double) Readings.read(metrics, name);
  }
}
