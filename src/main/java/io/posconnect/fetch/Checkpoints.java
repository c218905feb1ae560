package io.posconnect.fetch;

import io.posconnect.offset.StreamOffset;
import io.posconnect.record.Checkpoint;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * Publishes complete fetches: a checkpoint carries the new position, and leaves once every record
 * that the position vouches for is written.
 */
final class Checkpoints {

  /**
   * A complete fetch.
   *
   * @param again whether another pass must follow, so that no checkpoint vouches for this one
   */
  record Completed(Fetch fetch, boolean again, StreamOffset position) {}

  private final StreamSettings settings;
  private final StreamOutput output;
  private long lastNanos;
  private @Nullable StreamOffset last;

  // Checkpoints that are not written yet.
  private final AtomicInteger unwritten = new AtomicInteger();

  Checkpoints(StreamSettings settings, StreamOutput output) {
    this.settings = settings;
    this.output = output;
  }

  /**
   * Publishes a complete fetch; one without changes only at the interval, or when other rows cannot
   * be read, and once every checkpoint before it is written, or they would pile up while no broker
   * answers; and one that another pass must confirm not at all.
   *
   * @return the checkpoint, published or not
   */
  Checkpoint publish(Completed event, long nowNanos) {
    StreamOffset position = event.position();
    Checkpoint checkpoint = checkpoint(event.fetch(), position, nowNanos);
    boolean late = nowNanos - lastNanos >= settings.checkpointInterval().toNanos();
    if (!event.again()
        && (last == null
            || hasNews(last, position)
            // When a row that cannot be read has gone, the position must say so soon, or the next
            // process takes another one of that text for it.
            || ((late || !Suspects.haveSameNames(last.suspects(), position.suspects()))
                && unwritten.get() == 0))) {
      last = position;
      lastNanos = nowNanos;
      unwritten.incrementAndGet();
      output.checkpoint(checkpoint, position, unwritten::decrementAndGet);
    }
    return checkpoint;
  }

  private Checkpoint checkpoint(Fetch fetch, StreamOffset position, long nowNanos) {
    return new Checkpoint(
        output.isSilent(fetch.source()) ? FetchKind.BASELINE : fetch.kind(),
        fetch.reachesNow() ? Window.since(fetch.window().from()) : fetch.window(),
        position.watermark(),
        fetch.counts().copy(),
        output.numbering(),
        Duration.ofNanos(nowNanos - fetch.started().nanos()));
  }

  private boolean hasNews(StreamOffset before, StreamOffset position) {
    boolean reconciled = !position.lastReconciliation().equals(before.lastReconciliation());
    return output.hasNews()
        || position.snapshotted() != before.snapshotted()
        // Every fetch reconciles what is always read in full.
        || (reconciled && settings.resource().retrieval().filtered());
  }
}
