package io.posconnect.location;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.awaitility.Awaitility.await;

import io.posconnect.config.Props;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;

class ResolvedConfigTest {

  @Test
  void providerThatNeverAnswersHoldsUpNobodyAndIsAskedOnce() {
    CountDownLatch answers = new CountDownLatch(1);
    AtomicInteger asked = new AtomicInteger();
    Supplier<Map<String, String>> provider =
        () -> {
          asked.incrementAndGet();
          assertThatCode(answers::await).doesNotThrowAnyException();
          return Props.one().map();
        };
    ResolvedConfig resolved = new ResolvedConfig(provider, Time.SYSTEM, Duration.ofMillis(20));
    long early = Time.SYSTEM.nanoseconds() - 1;
    assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> resolved.after(early));
    await().until(() -> asked.get() == 1);
    long sent = Time.SYSTEM.nanoseconds();
    for (int location = 0; location < 2; location++) {
      assertThatExceptionOfType(TimeoutException.class).isThrownBy(() -> resolved.after(sent));
    }
    assertThat(asked).hasValue(1);
    answers.countDown();
    await().ignoreExceptions().until(() -> resolved.after(sent) != null);
    assertThat(asked).as("the first began before that was sent").hasValue(2);
  }
}
