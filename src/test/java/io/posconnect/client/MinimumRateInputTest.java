package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class MinimumRateInputTest {

  private static final Duration LIMIT = Duration.ofSeconds(30);

  private long now;

  /** Sends so many bytes after each wait. */
  private InputStream dripping(int bytes, Duration pause) {
    return new InputStream() {
      @Override
      public int read() {
        throw new AssertionError("one at a time");
      }

      @Override
      public int read(byte[] target, int offset, int length) {
        now += pause.toNanos();
        return Math.min(bytes, length);
      }
    };
  }

  private MinimumRateInput steady(InputStream body) {
    TimeLimit limit = new TimeLimit(() -> {});
    return new MinimumRateInput(body, limit, MinimumRateInput.KILOBYTE, LIMIT, () -> now);
  }

  private void read(MinimumRateInput steady, int times) throws IOException {
    for (int i = 0; i < times; i++) {
      assertThat(steady.read(new byte[2048], 0, 2048)).isPositive();
    }
  }

  @Test
  void cutsABodyThatDrips() throws IOException {
    MinimumRateInput body = steady(dripping(1, Duration.ofSeconds(10)));

    read(body, 3);

    assertThatThrownBy(() -> read(body, 1)).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void cutsABodyThatDripsWhileItIsSkipped() {
    MinimumRateInput body = steady(dripping(1, Duration.ofSeconds(10)));

    assertThatThrownBy(() -> body.skip(10)).isInstanceOf(SocketTimeoutException.class);
  }

  @Test
  void readsAnyBodyWhoseKilobytesArriveInTime() throws IOException {
    read(steady(dripping(512, Duration.ofSeconds(14))), 1000);
    read(steady(dripping(1024, Duration.ofSeconds(29))), 1000);
  }

  @Test
  void ignoresTheTimeOfASlowReader() throws IOException {
    MinimumRateInput body = steady(dripping(100, Duration.ofSeconds(1)));
    for (int i = 0; i < 1000; i++) {
      read(body, 1);
      now += LIMIT.toNanos();
    }
  }

  @Test
  void readsToTheEnd() throws IOException {
    assertThat(steady(new ByteArrayInputStream(new byte[10])).readAllBytes()).hasSize(10);
  }
}
