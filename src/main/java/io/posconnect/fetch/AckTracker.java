package io.posconnect.fetch;

import io.posconnect.change.Image;
import io.posconnect.record.Commit.Delivery;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Tracks acknowledgements of one stream: a checkpoint leaves only when every record that the stream
 * emitted before it has been acknowledged.
 *
 * <p>Records are counted in spans, each the records emitted between two completed fetches. What a
 * broken fetch emitted lies in the span that the next completed fetch closes, so its checkpoint
 * waits for it too. Emitting happens on fetch threads, acknowledging on the producer's or the
 * task's thread.
 */
final class AckTracker {

  private static final class Span {
    private int outstanding;
    private long emitted;
    private Runnable checkpoint = () -> {};

    // What waits for no record but those emitted before it; the latest counts.
    private Runnable written = () -> {};
  }

  private final Deque<Span> spans = new ArrayDeque<>();

  /** A stream that has emitted nothing yet. */
  public AckTracker() {
    spans.add(new Span());
  }

  /**
   * Counts records that are about to enter the buffer with one image of the digest; each of them
   * acknowledges the delivery once.
   */
  synchronized Delivery emit(int records, Image image) {
    Span span = spans.getLast();
    span.outstanding += records;
    span.emitted += records;
    return written -> acknowledged(span, image, written);
  }

  /** Records emitted since the last {@link #close}. */
  synchronized long emittedSinceLastCheckpoint() {
    return spans.getLast().emitted;
  }

  /**
   * Completes a fetch: its checkpoint leaves once everything emitted until now is acknowledged.
   *
   * @param checkpoint sends it
   */
  synchronized void close(Runnable checkpoint) {
    spans.getLast().checkpoint = checkpoint;
    spans.add(new Span());
    releaseReady();
  }

  /**
   * Does something once everything emitted until now is acknowledged, at the latest when the next
   * checkpoint leaves; not at all if something else is to be done by then.
   */
  synchronized void whenWritten(Runnable then) {
    spans.getLast().written = then;
    releaseReady();
  }

  private synchronized void acknowledged(Span span, Image image, boolean written) {
    // First, since a checkpoint vouches for it.
    image.acknowledged(written);
    span.outstanding--;
    releaseReady();
  }

  // Under the lock, so that the checkpoints of two acknowledging threads cannot overtake each
  // other.
  private synchronized void releaseReady() {
    while (spans.size() > 1 && spans.getFirst().outstanding == 0) {
      Span complete = spans.removeFirst();
      complete.checkpoint.run();
      complete.written.run();
    }
    Span first = spans.getFirst();
    if (first.outstanding == 0) {
      first.written.run();
      first.written = () -> {};
    }
  }
}
