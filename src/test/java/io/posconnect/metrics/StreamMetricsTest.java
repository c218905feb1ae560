package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.metrics.StreamMetrics.State;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Counts;
import io.posconnect.resource.Counts.Count;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
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
    shows("requests-total=0 suspended=0");
    assertThat(Readings.read(metrics, "suspension-reason")).isEqualTo("");
    shows("suspended-since-epoch-ms=-1 last-fetch-rows=-1 last-fetch-duration-ms=-1");
    shows("watermark-epoch-ms=-1 watermark-lag-ms=-1");
  }

  private static Counts events(long created, long read, long updated, long deleted) {
    return counts(
        Map.of(
            Count.CREATED, created,
            Count.READ, read,
            Count.UPDATED, updated,
            Count.DELETED, deleted));
  }

  private static Counts counts(Map<Count, Long> each) {
    Counts counts = new Counts();
    each.forEach(counts::add);
    return counts;
  }

  @Test
  void countsEachKindOfEventAndAddsUpFetchesAndShowsLastOne() {
    metrics.counted(events(1, 4, 2, 3));
    shows("events-created-total=1 events-updated-total=2 events-deleted-total=3");
    shows("events-read-total=4");

    metrics.counted(counts(Map.of(Count.RECEIVED, 100L, Count.SUPPRESSED, 60L)));
    metrics.completed(100, Duration.ofSeconds(9));
    metrics.counted(
        counts(Map.of(Count.RECEIVED, 10L, Count.TYPE_MISMATCHES, 4L, Count.DEAD_LETTERS, 2L)));
    metrics.completed(10, Duration.ofMillis(250));

    shows("fetches-total=2 rows-received-total=110 suppressed-total=60 type-mismatches-total=4");
    shows("dead-letters-total=2 last-fetch-rows=10 last-fetch-duration-ms=250");
  }

  @Test
  void countsRequestsByOutcomeAndResponseTime() {
    for (int request = 1; request <= 100; request++) {
      metrics.add(State.SENT, 1);
      metrics.answered(Duration.ofSeconds(request * 10L));
    }
    metrics.add(State.THROTTLED, 1);
    metrics.add(State.REFUSED, 1);
    metrics.add(State.REFUSED, 1);
    metrics.add(State.FAILED, 1);
    metrics.add(State.BYTES, 1_000);
    metrics.add(State.WAITED, 2_000_000_000L);

    shows("requests-throttled-total=1 requests-refused-total=2 requests-failed-total=1");
    shows("retries-total=4 bytes-received-total=1000 limit-wait-ms-total=2000");
    assertThat(read("response-time-p50-ms")).isBetween(500_000L, 550_000L);
    assertThat(read("response-time-p99-ms")).isBetween(990_000L, 1_100_000L);
  }

  @Test
  void showsIntervalAndOverdueTime() {
    metrics.set(State.INTERVAL, Duration.ofSeconds(30));
    metrics.set(State.RECONCILE_INTERVAL, Duration.ofDays(1));
    metrics.set(State.DIGEST_KEYS_MAX, 5_000);
    metrics.completed(1, Duration.ZERO);
    time.sleep(29_000);
    shows("interval-ms=30000 digest-keys-max=5000 overdue-ms=0");
    shows("reconcile-interval-ms=86400000");
    time.sleep(91_000);
    shows("overdue-ms=90000");
  }

  @Test
  void reconciliationThatNeverComesGrowsOld() {
    time.sleep(5_000);
    shows("reconciliation-age-ms=5000");
    metrics.set(State.RECONCILED, Instant.ofEpochMilli(time.milliseconds() - 1_000));
    shows("reconciliation-age-ms=1000");
    metrics.set(State.RECONCILED, Instant.MIN);
    shows("reconciliation-age-ms=5000");
  }

  @Test
  void showsProgressOfSnapshot() {
    shows("snapshot-running=0");
    metrics.set(State.SNAPSHOT_ROWS, 1_200);
    metrics.set(State.BACKFILL_REMAINING, Duration.ofDays(3));
    shows("snapshot-running=1 snapshot-rows=1200");
    assertThat(read("backfill-remaining-ms")).isEqualTo(Duration.ofDays(3).toMillis());
    metrics.set(State.SNAPSHOT_ROWS, StreamMetrics.UNKNOWN);
    metrics.set(State.BACKFILL_REMAINING, 0);
    shows("snapshot-running=0 backfill-remaining-ms=0");
  }

  @Test
  void measuresTimeSinceLastFetchOrStart() {
    time.sleep(5_000);
    shows("millis-since-last-fetch=5000");

    metrics.completed(0, Duration.ZERO);
    time.sleep(30);
    shows("millis-since-last-fetch=30");
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
    stepped.completed(1, Duration.ZERO);
    step.set(Duration.ofDays(1).toMillis());

    assertThat(Readings.number(stepped, "millis-since-last-fetch")).isZero();
  }

  @Test
  void measuresLagOnServersClockAndShowsNoNegativeOne() {
    metrics.set(State.SKEW, Duration.ofSeconds(-40));
    metrics.set(State.WATERMARK, NOW.minusSeconds(100));

    shows("clock-skew-ms=-40000");
    assertThat(read("watermark-epoch-ms")).isEqualTo(NOW.minusSeconds(100).toEpochMilli());
    shows("watermark-lag-ms=60000");

    metrics.set(State.WATERMARK, NOW.minusSeconds(35));
    shows("watermark-lag-ms=0");
  }

  @Test
  void showsDigestHeldDeletesAndUnreadableRows() {
    metrics.set(State.DIGEST_KEYS, 4_711);
    metrics.set(State.DELETES_PENDING, 12);
    metrics.set(State.UNREADABLE_ROWS, 3);
    metrics.set(State.DELETES_UNCERTAIN, 2);

    shows("digest-keys=4711 deletes-pending=12 unreadable-rows=3 deletes-uncertain=2");
    metrics.set(State.DELETES_PENDING, 0);
    shows("deletes-pending=0");
  }

  @Test
  void keepsStartOfSuspensionWhenReasonChangesUntilItIsResumed() {
    metrics.suspended(Problem.PERMISSION_MISSING.incident("downtown/products: 403"));
    time.sleep(60_000);
    Incident latest = Problem.PATH_UNKNOWN.incident("downtown/products: 404");
    metrics.suspended(latest);

    shows("suspended=1 suspension-code=206");
    assertThat(Readings.read(metrics, "suspension-reason")).isEqualTo(latest.toString());
    assertThat(read("suspended-since-epoch-ms")).isEqualTo(NOW.toEpochMilli());

    metrics.resumed();
    shows("suspended=0");
    assertThat(Readings.read(metrics, "suspension-reason")).isEqualTo("");
    time.sleep(1_000);
    metrics.suspended(REFUSED);
    assertThat(read("suspended-since-epoch-ms")).isEqualTo(NOW.plusSeconds(61).toEpochMilli());
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
              metrics.add(State.SENT, 1);
              metrics.add(State.FAILED, 1);
              metrics.counted(events(1, 0, 0, 0));
            }
          });
    }
    start.countDown();
    threads.shutdown();

    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    shows("requests-total=40000 retries-total=40000 events-created-total=40000");
  }

  private void shows(String readings) {
    for (String reading : readings.split(" ", -1)) {
      String[] parts = reading.split("=", -1);
      assertThat(read(parts[0])).as(reading).isEqualTo(Long.parseLong(parts[1]));
    }
  }

  private long read(String name) {
    return Readings.number(metrics, name);
  }
}
