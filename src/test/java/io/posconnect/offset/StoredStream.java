package io.posconnect.offset;

import io.posconnect.OffsetMap;
import io.posconnect.change.Digest;
import io.posconnect.change.Image;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.zip.CRC32C;

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

  /** The slots of a digest of which something is stored, in order. */
  public static Map<StreamPartition, Map<String, Object>> slots(
      Stream stream, Map<? extends Map<String, ?>, Map<String, Object>> offsets) {
    Map<StreamPartition, Map<String, Object>> slots = new LinkedHashMap<>();
    for (int number = 0; number < 100; number++) {
      StreamPartition slot = StreamPartition.slot(stream, number);
      Map<String, Object> offset = offsets.get(slot.toMap());
      if (offset != null) {
        slots.put(slot, offset);
      }
    }
    return slots;
  }

  /** The text of a segment whose last four bytes have become the checksum of the others. */
  public static String withChecksum(byte[] bytes) {
    int end = bytes.length - 4;
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, end);
    ByteBuffer.wrap(bytes).putInt(end, (int) crc.getValue());
    return Base64.getEncoder().withoutPadding().encodeToString(bytes);
  }

  public StreamOffset offset() {
    return offset;
  }

  public OffsetMap reader() {
    return new OffsetMap(offsets);
  }
}
