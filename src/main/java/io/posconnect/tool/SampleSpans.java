package io.posconnect.tool;

import io.posconnect.client.ApiException;
import io.posconnect.resource.Retrieval.Cycle;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import io.posconnect.resource.WindowLength;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/** Chooses the spans of time that a sample reads, the newest first. Pure. */
final class SampleSpans {

  /** Of a resource that begins with now. */
  private static final Duration RECENT = Duration.ofDays(31);

  // The service's clock may be ahead of this machine's.
  private static final Duration MARGIN = Duration.ofMinutes(3);

  /** The spans of a resource that is not read by dates: it has no time to divide. */
  private final Deque<Window> fixed = new ArrayDeque<>();

  private final Instant earliest;
  private final WindowLength length;
  private Instant boundary = Instant.MAX;
  private Instant end;
  private Optional<Window> current = Optional.empty();

  private SampleSpans(StreamSettings settings, Instant now, Instant start) {
    boolean windows = settings.resource().retrieval().cycle() == Cycle.WINDOWS;
    this.length = new WindowLength(settings.windowMax());
    this.earliest =
        (start.isBefore(now) ? start : now.minus(RECENT)).truncatedTo(ChronoUnit.SECONDS);
    this.end = windows ? now.plus(MARGIN).truncatedTo(ChronoUnit.SECONDS) : earliest;
    if (!windows) {
      fixed.add(Window.ALL);
    }
  }

  /** Begins with the newest. */
  static SampleSpans of(StreamSettings settings, Instant now) {
    SampleSpans spans = new SampleSpans(settings, now, settings.startFrom().resolve(now));
    if (settings.resource().retrieval().cycle() == Cycle.CHANGES_SINCE) {
      spans.fixed.addFirst(Window.since(now.minus(Duration.ofDays(90))));
      spans.fixed.addFirst(Window.since(now.minus(Duration.ofDays(7))));
    }
    return spans;
  }

  /**
   * Spans that together hold every row.
   *
   * @param start of a resource that is read by dates
   * @param boundary that lies within no span, to the second; before 1970 or in the future for none
   */
  static SampleSpans all(StreamSettings settings, Instant now, Instant start, Instant boundary) {
    SampleSpans spans = new SampleSpans(settings, now, start);
    if (boundary.isAfter(Instant.EPOCH) && boundary.isBefore(now)) {
      spans.boundary = boundary.truncatedTo(ChronoUnit.SECONDS).plus(WindowLength.SEAM);
    }
    return spans;
  }

  /** The next span to read; empty when none is left. */
  Optional<Window> next() {
    if (!end.isAfter(earliest)) {
      return Optional.ofNullable(fixed.poll());
    }
    Instant from = end.minus(length.current());
    boolean crosses = from.isBefore(boundary) && boundary.isBefore(end.minus(WindowLength.SEAM));
    from = crosses ? boundary : from;
    current = Optional.of(new Window(from.isBefore(earliest) ? earliest : from, end));
    return current;
  }

  /** Ends a span that was read; where it had few rows, the next one is longer. */
  void brought(long rows) {
    current.ifPresent(
        window -> {
          end = window.from().isAfter(earliest) ? window.from().plus(WindowLength.SEAM) : earliest;
          length.read(window, rows);
        });
  }

  /** Halves the span that was refused; returns false where that cannot help. */
  boolean narrow(ApiException refusal) {
    return refusal.isTooMuch() && current.filter(length::refused).isPresent();
  }
}
