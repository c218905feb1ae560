package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.client.ServerClock;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.apache.kafka.common.utils.MockTime;
import org.junit.jupiter.api.Test;

/** The service's time of a stream is written to offsets, which people read. */
class ServerTimeTest {

  private static final Instant SERVER = Instant.parse("2026-01-31T08:15:00Z");

  @Test
  void cutsStartOfFetchToMilliseconds() {
    MockTime time = new MockTime(0, SERVER.toEpochMilli(), 123_456_789);
    ServerTime server = new ServerTime(new ServerClock(time.nanoseconds()), time);
    server.sample(Optional.of(SERVER));

    assertThat(server.at(time.nanoseconds() + 7_654_321, SERVER))
        .isEqualTo(SERVER.plus(Duration.ofMillis(7)));
  }
}
