package io.posconnect.offset;

import io.posconnect.change.Digest.Stored;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Image;
import io.posconnect.change.Image.Header;
import io.posconnect.change.Image.State;
import io.posconnect.resource.Key;
import io.posconnect.resource.Numbering;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;
import org.apache.kafka.connect.errors.ConnectException;

/**
 * The stored form of one segment of a digest: an image to an offset, and back.
 *
 * <pre>
 *   version      1 byte, 1
 *   snapshot id  length, UTF-8; then 1 byte: 1 while that snapshot runs
 *   segment      run (8 bytes), sequence, sequence - head, base (8), sequence + 1 - floor, sum (8), slots
 *   numbering    seq, epoch in milliseconds
 *   key names    length, UTF-8
 *   identity     length, UTF-8
 *   contract     length, UTF-8
 *   length       number of entries
 *   runs         kind (1 byte: current, stale, removed; numbers, then texts), how many, those:
 *     numbers    zigzag of the gap to the number before; 7 bytes of hash if current
 *     texts      code units shared with the one before, further ones, those; 7 bytes of hash if current
 *   checksum     4 bytes, CRC-32C of everything before
 * </pre>
 *
 * <p>Lengths, counts and gaps are unsigned variable-length integers of 7 bits a byte; a code unit
 * takes 1 to 3 bytes, as UTF-8 would for a character of its own, so that any text survives. All is
 * in Base64 without padding. A number key costs 10 to 12 characters.
 *
 * <p>The field, the Base64, the version in front and the checksum behind are the same in every
 * version, so that an older build can tell what a newer one wrote from what is damaged.
 */
public final class DigestCodec {

  private static final String FIELD = "digest";
  private static final byte VERSION = 1;
  private static final int CHECKSUM = 4;

  private DigestCodec() {}

  /** A stored segment cannot be read: it is lost, which is not the same as empty. */
  public static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
      super(message);
    }

    DamagedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** What an offset holds. */
  public record Decoded(Stored stored, StreamContext context) {
    public Decoded {
      Objects.requireNonNull(stored, "stored is null");
      Objects.requireNonNull(context, "context is null");
    }
  }

  /** The offset of a record that carries that image. */
  public static Map<String, Object> encode(Image image, StreamContext context) {
    Map<String, Object> offset = new LinkedHashMap<>();
    offset.put(FIELD, text(image, context));
    context.scope().put(offset);
    return offset;
  }

  private static String text(Image image, StreamContext context) {
    Header header = image.header();
    ByteWriter out = new ByteWriter();
    out.one(VERSION);
    out.utf8(context.snapshot().id());
    out.one(context.snapshot().runs() ? 1 : 0);
    out.big(header.run(), Long.BYTES);
    out.varint(header.sequence());
    out.varint(header.sequence() - header.head());
    out.big(header.base(), Long.BYTES);
    out.varint(header.sequence() + 1 - header.floor());
    out.big(header.sum(), Long.BYTES);
    out.varint(header.slots());
    out.varint(context.numbering().seq());
    out.varint(context.numbering().epochMillis());
    out.utf8(context.keyNames());
    out.utf8(context.identity());
    out.utf8(context.scope().contract());
    out.varint(header.length());
    RunWriter runs = new RunWriter(out);
    image.forEach(runs::add);
    runs.end();
    out.checksum();
    return out.base64();
  }

  /** Gathers entries of one kind, which are written behind their number. */
  private static final class RunWriter {
    private final ByteWriter out;
    private ByteWriter entries = new ByteWriter();
    private int kind;
    private int count;
    private long number;
    private String text = "";

    RunWriter(ByteWriter out) {
      this.out = out;
    }

    void add(Key key, State state, long hash) {
      int next = state.code() + (key.isNumber() ? 0 : State.CODES);
      if (next != kind) {
        end();
        kind = next;
      }
      if (key.isNumber()) {
        long gap = key.number() - number;
        entries.varint((gap << 1) ^ (gap >> 63));
        number = key.number();
      } else {
        entries.units(text, key.text());
        text = key.text();
      }
      if (state == State.CURRENT) {
        entries.big(hash, ByteWriter.HASH);
      }
      count++;
    }

    void end() {
      if (count > 0) {
        out.one(kind);
        out.varint(count);
        out.append(entries);
        entries = new ByteWriter();
        count = 0;
      }
    }
  }

  /** Refuses what a newer build has written to a slot; damage is left to {@link #decode}. */
  public static void refuseNewer(StreamPartition slot, Map<String, ?> offset) {
    if (!(offset.get(FIELD) instanceof String text)) {
      return;
    }
    try {
      byte[] bytes = bytes(text);
      if (isWhole(bytes) && bytes[0] > VERSION) {
        throw new ConnectException(StreamOffsetFields.newer(slot.toString(), bytes[0], VERSION));
      }
    } catch (DamagedException e) {
      // Whoever reads it says so.
    }
  }

  /**
   * Reads the offset of a slot.
   *
   * @throws DamagedException when it is not exactly what {@link #encode} gave
   */
  public static Decoded decode(int slot, Map<String, ?> offset) throws DamagedException {
    if (!(offset.get(FIELD) instanceof String text)) {
      throw new DamagedException("there is no text under \"" + FIELD + "\"");
    }
    byte[] bytes = bytes(text);
    if (bytes.length < 1 + CHECKSUM) {
      throw new DamagedException("it is truncated");
    }
    if (bytes[0] != VERSION) {
      throw new DamagedException("its version is " + bytes[0] + ", known is " + VERSION);
    }
    if (!isWhole(bytes)) {
      throw new DamagedException("its checksum does not fit");
    }
    int end = bytes.length - CHECKSUM;
    return content(slot, new ByteReader(bytes, 1, end), DigestScope.of(offset));
  }

  private static boolean isWhole(byte[] bytes) throws DamagedException {
    int end = bytes.length - CHECKSUM;
    if (end < 1) {
      return false;
    }
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, end);
    return new ByteReader(bytes, end, bytes.length).big(CHECKSUM) == crc.getValue();
  }

  private static byte[] bytes(String text) throws DamagedException {
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new DamagedException("it is not Base64", e);
    }
    // The decoder takes padding and spare bits that the encoder never writes.
    if (!Base64.getEncoder().withoutPadding().encodeToString(bytes).equals(text)) {
      throw new DamagedException("it is not the Base64 that was written");
    }
    return bytes;
  }

  private static Decoded content(int slot, ByteReader in, DigestScope scope)
      throws DamagedException {
    String snapshotId = in.utf8(in.count());
    boolean runs = in.one() == 1;
    long run = in.big(Long.BYTES);
    long sequence = in.varint();
    long head = sequence - in.varint();
    long base = in.big(Long.BYTES);
    long floor = sequence + 1 - in.varint();
    long sum = in.big(Long.BYTES);
    int slots = (int) in.varint();
    Numbering numbering = new Numbering(in.varint(), in.varint());
    String keyNames = in.utf8(in.count());
    String identity = in.utf8(in.count());
    DigestScope full = scope.withContract(in.utf8(in.count()));
    Snapshot snapshot =
        Snapshot.parse(snapshotId, runs ? Snapshot.State.RUNNING : Snapshot.State.COMPLETED);
    StreamContext context = new StreamContext(snapshot, full, numbering, keyNames, identity);
    int length = in.count();
    Header header = new Header(run, sequence, length, head, base, floor, sum, slots);
    List<StoredEntry> entries = new ArrayList<>(length);
    RunReader reader = new RunReader(in);
    while (entries.size() < length) {
      reader.read(entries);
    }
    in.expectEnd();
    if (entries.size() != length) {
      throw new DamagedException("it has more entries than it says");
    }
    return new Decoded(new Stored(header, slot, entries), context);
  }

  /** Reads entries of one kind after another. */
  private static final class RunReader {
    private final ByteReader in;
    private long number;
    private String text = "";

    RunReader(ByteReader in) {
      this.in = in;
    }

    void read(List<StoredEntry> entries) throws DamagedException {
      int kind = in.one();
      if (kind >= 2 * State.CODES) {
        throw new DamagedException("it has entries of an unknown kind");
      }
      State state = State.of(kind % State.CODES);
      int count = in.count();
      if (count == 0) {
        throw new DamagedException("it has a run of nothing");
      }
      for (int i = 0; i < count; i++) {
        Key key = kind < State.CODES ? number() : text();
        entries.add(
            new StoredEntry(key, state, state == State.CURRENT ? in.big(ByteWriter.HASH) : 0));
      }
    }

    private Key number() throws DamagedException {
      long gap = in.varint();
      number += (gap >>> 1) ^ -(gap & 1);
      return Key.of(number);
    }

    private Key text() throws DamagedException {
      text = in.units(text);
      return Key.of(text);
    }
  }
}
