package io.posconnect.offset;

import io.posconnect.OffsetMap;
import io.posconnect.change.Digest;
import io.posconnect.change.Image;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;

/** What Connect has stored of one stream, written record by record as a process would. */
public final class StoredStream {

  private final Map<Map<String, String>, Map<String, Object>> offsets = new HashMap<>();
  private final Stream stream;
  private StreamOffset offset;
  private Digest digest;

  public StoredStream(Stream stream, StreamOffset offset, Digest digest) {
    this.stream = stream;
    this.offset = offset;
    this.digest = digest;
  }

  /** Another process goes on from there. */
  public void resume(StreamOffset from, Digest with) {
    offset = from;
    digest = with;
  }

  /** An event of that key, unless nothing changed. */
  public void emit(Key key, long hash) {
    digest.tick();
    if (digest.remember(key, hash)) {
      write();
    }
  }

  /** Events of the numbers from one to before another. */
  public void emit(int from, int to, long hash) {
    for (int i = from; i < to; i++) {
      emit(Key.of(i), hash);
    }
  }

  public void delete(Key key) {
    digest.remove(key);
    write();
  }

  private void write() {
    offset = offset.withContext(c -> c.withNumbering(c.numbering().next()));
    Image image = digest.image(1);
    put(StreamPartition.slot(stream, image.slot()), DigestCodec.encode(image, offset.context()));
    image.acknowledged(true);
  }

  /** The checkpoint of a complete fetch. */
  public void checkpoint(Instant watermark) {
    offset =
        offset
            .withWatermark(watermark)
            .withSnapshotCompleted(offset.lastReconciliation())
            .withDigest(digest.mark().get());
    position(offset);
  }

  public void checkpointOfPart(Instant watermark) {
    offset = offset.withWatermark(watermark).withDigest(digest.mark().get());
    position(offset);
  }

  public void position(StreamOffset value) {
    put(StreamPartition.position(stream), value.toMap(stream));
  }

  /** A person sets the watermark. */
  public void rewind(Instant watermark) {
    put(StreamPartition.position(stream), Map.of("watermark", watermark.toString()));
  }

  public void put(StreamPartition partition, Map<String, Object> value) {
    offsets.put(partition.toMap(), value);
  }

  public void reset(StreamPartition partition) {
    offsets.remove(partition.toMap());
  }

  /** What is stored; may be changed. */
  public Map<Map<String, String>, Map<String, Object>> offsets() {
    return offsets;
  }

  public StreamOffset offset() {
    return offset;
  }

  public OffsetMap reader() {
    return new OffsetMap(offsets);
  }
}
