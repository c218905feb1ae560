package io.posconnect.location;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.posconnect.config.Props;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;

class ResolvedConfigTest {

  @Test
  void providerThatNeverAnswersHoldsUpOneLocation() throws Exception {
    CountDownLatch asked = new CountDownLatch(1);
    CountDownLatch answers = new CountDownLatch(1);
    Supplier<Map<String, String>> provider =
        () -> {
          asked.countDown();
          try {
            answers.await();
          } catch (InterruptedException e) {
            throw new IllegalStateException(e);
          }
          return Props.one().map();
        };
    ResolvedConfig resolved = new ResolvedConfig(provider, Time.SYSTEM, Duration.ofMillis(20));
    long sent = Time.SYSTEM.nanoseconds() - 1;
    var first = Executors.newSingleThreadExecutor();
    try {
      var one = first.submit(() -> resolved.after(sent));
      asked.await();
      assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> resolved.after(sent));
      answers.countDown();
      one.get();
      resolved.after(sent);
    } finally {
      first.shutdownNow();
    }
  }
}
