package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.client.ApiException;
import io.posconnect.config.Props;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class SampleSpansTest {

  private static final Instant NOW = Instant.parse("2026-11-22T12:00:00Z");

  private static ApiException tooLong() {
    return new ApiException.Refused(Problem.REQUEST_REFUSED, "span", "too long", 400);
  }

  private static SampleSpans spans(String resource) {
    return SampleSpans.of(
        Props.one()
            .with("start.from", "2024-01-01T00:00:00Z")
            .config()
            .settings(new Stream("default", resource)),
        NOW);
  }

  @Test
  void readsNewestWindowsFirstAndEachTimeOnce() {
    SampleSpans spans = spans("register-transactions");
    List<Window> windows = new ArrayList<>();
    for (Optional<Window> w = spans.next(); w.isPresent(); w = spans.next()) {
      windows.add(w.get());
      spans.brought(windows.size() % 3 * 100L);
    }

    Instant newest = NOW.plus(Duration.ofMinutes(3));
    assertThat(windows.get(0)).isEqualTo(new Window(newest.minus(Duration.ofDays(1)), newest));
    for (int i = 1; i < windows.size(); i++) {
      assertThat(windows.get(i).to()).isEqualTo(windows.get(i - 1).from().plusSeconds(1));
    }
    assertThat(windows.get(windows.size() - 1).from())
        .isEqualTo(Instant.parse("2024-01-01T00:00:00Z"));
    assertThat(windows).hasSizeLessThan(40);
  }

  @Test
  void halvesRefusedWindow() {
    SampleSpans spans = spans("register-transactions");
    spans.next();
    spans.brought(0);
    Window refused = spans.next().orElseThrow();

    assertThat(spans.narrow(tooLong())).isTrue();
    Window half = spans.next().orElseThrow();
    assertThat(half.to()).isEqualTo(refused.to());
    assertThat(Duration.between(half.from(), half.to()))
        .isEqualTo(Duration.between(refused.from(), refused.to()).dividedBy(2));
    spans.brought(0);
    assertThat(spans.next().orElseThrow().length()).isBetween(half.length(), refused.length());
  }

  @Test
  void neverAsksForMoreThanTheLongestWindow() {
    Duration longest = Duration.ofDays(5);
    SampleSpans spans =
        SampleSpans.of(
            Props.of("start.from=2024-01-01T00:00:00Z window.max.ms=" + longest.toMillis())
                .config()
                .settings(new Stream("default", "register-transactions")),
            NOW);
    for (Optional<Window> w = spans.next(); w.isPresent(); w = spans.next()) {
      assertThat(w.get().length()).isLessThanOrEqualTo(longest);
      spans.brought(0);
    }
  }

  @Test
  void endsWhereEveryWindowIsRefused() {
    SampleSpans spans = spans("register-transactions");
    int refusals = 0;
    for (spans.next(); spans.narrow(tooLong()); spans.next()) {
      refusals++;
    }

    assertThat(refusals).isBetween(3, 10);
  }

  @Test
  void readsLateChangesBeforeTheWholeList() {
    SampleSpans spans = spans("products");

    assertThat(spans.next()).hasValue(Window.since(NOW.minus(Duration.ofDays(7))));
    assertThat(spans.next()).hasValue(Window.since(NOW.minus(Duration.ofDays(90))));
    assertThat(spans.next()).hasValue(Window.ALL);
    assertThat(spans.next()).isEmpty();
    assertThat(spans("inventory").next()).hasValue(Window.ALL);
    assertThat(spans("products").narrow(tooLong())).isFalse();
  }
}
