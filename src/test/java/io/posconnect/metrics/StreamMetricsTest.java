package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;

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

  private static final Instant NOW = Instant.parse("2026-03-01T12:00:00Z");

  private final MockTime time = new MockTime(0, NOW.toEpochMilli(), 7_000_000_000L);
  private final StreamMetrics metrics = new StreamMetrics(time);

  @Test
  void beginsWithZeroesAndSaysWhatIsUnknown() {
    assertThat(metrics.getRequestsTotal()).isZero();
    assertThat(metrics.getFullRetention()).isEqualTo(1);
    assertThat(metrics.getSuspended()).isZero();
    assertThat(metrics.getSuspensionReason()).isEmpty();
    assertThat(metrics.getSuspendedSinceEpochMs()).isEqualTo(-1);
    assertThat(metrics.getLastFetchRows()).isEqualTo(-1);
    assertThat(metrics.getLastFetchDurationMs()).isEqualTo(-1);
    assertThat(metrics.getWatermarkEpochMs()).isEqualTo(-1);
    assertThat(metrics.getWatermarkLagMs()).isEqualTo(-1);
  }

  @Test
  void countsEachKindOfEventForItself() {
    metrics.created();
    metrics.updated();
    metrics.updated();
    metrics.deleted();
    metrics.deleted();
    metrics.deleted();
    metrics.read();
    metrics.read();
    metrics.read();
    metrics.read();

    assertThat(metrics.getEventsCreatedTotal()).isEqualTo(1);
    assertThat(metrics.getEventsUpdatedTotal()).isEqualTo(2);
    assertThat(metrics.getEventsDeletedTotal()).isEqualTo(3);
    assertThat(metrics.getEventsReadTotal()).isEqualTo(4);
  }

  @Test
  void addsUpFetchesAndShowsTheLast() {
    metrics.completed(100, 60, 3, 2, Duration.ofSeconds(9));
    metrics.completed(10, 6, 1, 0, Duration.ofMillis(250));

    assertThat(metrics.getFetchesTotal()).isEqualTo(2);
    assertThat(metrics.getRowsReceivedTotal()).isEqualTo(110);
    assertThat(metrics.getSuppressedTotal()).isEqualTo(66);
    assertThat(metrics.getTypeMismatchesTotal()).isEqualTo(4);
    assertThat(metrics.getDeadLettersTotal()).isEqualTo(2);
    assertThat(metrics.getLastFetchRows()).isEqualTo(10);
    assertThat(metrics.getLastFetchDurationMs()).isEqualTo(250);
  }

  @Test
  void tellsHowLongNothingWasCompletedEvenIfNothingEverWas() {
    time.sleep(5_000);
    assertThat(metrics.getMillisSinceLastFetch()).isEqualTo(5_000);

    metrics.completed(0, 0, 0, 0, Duration.ZERO);
    time.sleep(30);
    assertThat(metrics.getMillisSinceLastFetch()).isEqualTo(30);
  }

  @Test
  void aStepOfTheLocalClockDoesNotAgeTheLastFetch() {
    AtomicLong step = new AtomicLong();
    StreamMetrics stepped =
        new StreamMetrics(
            new MockTime() {
              @Override
              public long milliseconds() {
                return super.milliseconds() + step.get();
              }
            });
    stepped.completed(1, 0, 0, 0, Duration.ZERO);
    step.set(Duration.ofDays(1).toMillis());

    assertThat(stepped.getMillisSinceLastFetch()).isZero();
  }

  @Test
  void measuresTheLagOnTheServersClock() {
    metrics.skewed(Duration.ofSeconds(-40));
    metrics.watermark(NOW.minusSeconds(100));

    assertThat(metrics.getClockSkewMs()).isEqualTo(-40_000);
    assertThat(metrics.getWatermarkEpochMs()).isEqualTo(NOW.minusSeconds(100).toEpochMilli());
    assertThat(metrics.getWatermarkLagMs()).isEqualTo(60_000);
  }

  @Test
  void theLagIsNeverNegative() {
    metrics.watermark(NOW.plusSeconds(5));

    assertThat(metrics.getWatermarkLagMs()).isZero();
  }

  @Test
  void showsDigestPendingDeletesAndRetention() {
    metrics.digest(4_711);
    metrics.deletesPending(12);
    metrics.retention(false);

    assertThat(metrics.getDigestKeys()).isEqualTo(4_711);
    assertThat(metrics.getDeletesPending()).isEqualTo(12);
    assertThat(metrics.getFullRetention()).isZero();

    metrics.deletesPending(0);
    metrics.retention(true);
    assertThat(metrics.getDeletesPending()).isZero();
    assertThat(metrics.getFullRetention()).isEqualTo(1);
  }

  @Test
  void aFailedProbeChangesTheReasonAndNotTheBeginning() {
    metrics.suspended("403: key lacks permission Reporting");
    time.sleep(60_000);
    metrics.suspended("404: no such path");

    assertThat(metrics.getSuspended()).isEqualTo(1);
    assertThat(metrics.getSuspensionReason()).isEqualTo("404: no such path");
    assertThat(metrics.getSuspendedSinceEpochMs()).isEqualTo(NOW.toEpochMilli());
  }

  @Test
  void recoveryForgetsTheSuspension() {
    metrics.suspended("403");
    metrics.recovered();
    assertThat(metrics.getSuspended()).isZero();
    assertThat(metrics.getSuspensionReason()).isEmpty();

    time.sleep(1_000);
    metrics.suspended("403");
    assertThat(metrics.getSuspendedSinceEpochMs()).isEqualTo(NOW.plusSeconds(1).toEpochMilli());
  }

  @Test
  void showsOneShortLineOfAReasonWhateverItBrings() {
    metrics.suspended("  422: refused\r\n\t{\u0000" + "x".repeat(10_000));

    assertThat(metrics.getSuspensionReason())
        .startsWith("422: refused { xxx")
        .hasSize(300)
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
              metrics.requested();
              metrics.retried();
              metrics.created();
            }
          });
    }
    start.countDown();
    threads.shutdown();

    assertThat(threads.awaitTermination(30, TimeUnit.SECONDS)).isTrue();
    assertThat(metrics.getRequestsTotal()).isEqualTo(40_000);
    assertThat(metrics.getRetriesTotal()).isEqualTo(40_000);
    assertThat(metrics.getEventsCreatedTotal()).isEqualTo(40_000);
  }
}
