package io.posconnect.tool;

import io.posconnect.client.ApiException;
import io.posconnect.resource.Retrieval.Cycle;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/** Chooses the spans of time that a sample reads, the newest first. Pure. */
final class SampleSpans {

  /** Services refuse longer spans, or are slow to answer. */
  private static final Duration LONGEST = Duration.ofDays(31);

  /** The longest span of the connector itself, used while no rows come. */
  private static final Duration LONGEST_EMPTY = Duration.ofDays(365);

  private static final Duration SHORTEST = Duration.ofHours(1);

  private final Deque<Window> fixed = new ArrayDeque<>();
  private final Instant now;
  private final Instant earliest;
  private final int wanted;
  private final boolean windows;
  private Instant end = Instant.MAX;
  private Duration length;
  private Duration longest = LONGEST_EMPTY;
  private Optional<Window> current = Optional.empty();

  private SampleSpans(StreamSettings settings, Instant now, Instant start, int wanted) {
    this.now = now;
    this.wanted = wanted;
    this.windows = settings.resource().retrieval().cycle() == Cycle.WINDOWS;
    this.length = settings.windowMax();
    this.earliest = start.isBefore(now) ? start : now.minus(LONGEST);
  }

  /**
   * Begins with the newest.
   *
   * @param wanted rows that would be enough
   */
  static SampleSpans of(StreamSettings settings, Instant now, int wanted) {
    SampleSpans spans = new SampleSpans(settings, now, settings.startFrom().resolve(now), wanted);
    switch (settings.resource().retrieval().cycle()) {
      case FULL_READS -> spans.fixed.add(Window.ALL);
      case CHANGES_SINCE ->
          spans.fixed.addAll(
              List.of(
                  Window.since(now.minus(Duration.ofDays(7))),
                  Window.since(now.minus(Duration.ofDays(90))),
                  Window.ALL));
      case WINDOWS -> {
        // Each is computed from the one before.
      }
    }
    return spans;
  }

  /**
   * Spans that together hold every row.
   *
   * @param start of a resource that is read by dates
   */
  static SampleSpans all(StreamSettings settings, Instant now, Instant start) {
    SampleSpans spans = new SampleSpans(settings, now, start, Integer.MAX_VALUE);
    if (!spans.windows) {
      spans.fixed.add(Window.ALL);
    }
    return spans;
  }

  /** The next span to read; empty when none is left. */
  Optional<Window> next() {
    if (!windows) {
      return Optional.ofNullable(fixed.poll());
    }
    if (!end.isAfter(earliest)) {
      return Optional.empty();
    }
    Instant from = (end.equals(Instant.MAX) ? now : end).minus(length);
    Window window = new Window(from.isBefore(earliest) ? earliest : from, end);
    current = Optional.of(window);
    return current;
  }

  /** Ends a span that was read; where it had few rows, the next one is longer. */
  void brought(int rows) {
    current.ifPresent(window -> end = window.from());
    if (rows == 0) {
      length = shorter(length.multipliedBy(4), longest);
    } else if (rows < wanted / 4) {
      length = shorter(length.multipliedBy(2), shorter(longest, LONGEST));
    } else {
      length = shorter(length, LONGEST);
    }
  }

  /** Halves the span that was refused; returns false where that cannot help. */
  boolean narrow(ApiException refusal) {
    boolean tooMuch =
        (refusal instanceof ApiException.Refused refused && refused.status() == 400)
            || (refusal instanceof ApiException.Unavailable unavailable && unavailable.timeout())
            || (refusal instanceof ApiException.Malformed malformed && malformed.tooLarge());
    if (!windows || !tooMuch || length.compareTo(SHORTEST) <= 0) {
      return false;
    }
    length = length.dividedBy(2);
    longest = length;
    return true;
  }

  private static Duration shorter(Duration a, Duration b) {
    return a.compareTo(b) < 0 ? a : b;
  }
}
