package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.client.ApiException.Unavailable;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.zip.GZIPOutputStream;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import okio.Buffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

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
    return new MinimumRateInput(body, new TimeLimit(() -> {}), LIMIT, () -> now);
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

  @Test
  @Timeout(value = 30, threadMode = ThreadMode.SEPARATE_THREAD)
  void cutsADrippingBodyThatCannotBeUnpackedYet() throws Exception {
    for (boolean packed : new boolean[] {false, true}) {
      try (MockWebServer server = new MockWebServer()) {
        server.enqueue(dripping(packed));
        server.start();
        try (ApiClient client = Clients.to(server.url("").uri(), Clients.timeouts(5_000, 1_000))) {
          assertThatThrownBy(() -> Clients.read(client))
              .isInstanceOfSatisfying(Unavailable.class, e -> assertThat(e.timeout()).isTrue())
              .hasMessageStartingWith("POS-303 downtown/products: GET /products 200: ")
              .hasMessageContaining("the body stalled: less than 1 KB of it came in PT1S");
        }
      }
    }
  }

  private static MockResponse dripping(boolean packed) {
    StringBuilder text = new StringBuilder("[\"");
    // What hardly compresses, so that a packed body is as long.
    new Random(7).ints(20_000, 'a', 'z').forEach(c -> text.append((char) c));
    byte[] body =
        text.append("\"]").toString().getBytes(java.nio.charset.StandardCharsets.US_ASCII);
    MockResponse.Builder response =
        new MockResponse.Builder()
            .addHeader("Content-Type", "application/json")
            .throttleBody(10, 50, TimeUnit.MILLISECONDS);
    if (packed) {
      response.addHeader("Content-Encoding", "gzip");
    }
    return response.body(new Buffer().write(packed ? packed(body) : body)).build();
  }

  private static byte[] packed(byte[] body) {
    ByteArrayOutputStream packed = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(packed)) {
      gzip.write(body);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return packed.toByteArray();
  }
}
