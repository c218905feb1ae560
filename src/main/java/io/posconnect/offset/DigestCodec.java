package io.posconnect.offset;

import io.posconnect.change.Digest.Stored;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Image;
import io.posconnect.change.Image.Header;
import io.posconnect.change.Image.State;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Key;
import io.posconnect.resource.Numbering;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * Encodes one segment of a digest as an offset, and decodes it.
 *
 * <p>In Avro's binary encoding, integers of variable length and strings:
 *
 * <pre>
 *   version      1 byte, 2
 *   snapshot     string, its id; boolean: it runs; its start in milliseconds since 1970, or -1
 *   segment      run (8 bytes), sequence, sequence - head, base (8), sequence + 1 - floor, sum (8), slots
 *   numbering    seq, epoch in milliseconds
 *   key names    string, empty; see {@link DigestScope#under}
 *   identity     string
 *   contract     string
 *   damaged      string, see {@link StreamContext#damaged}; not in version 1
 *   length       number of entries
 *   runs         kind (current, stale, removed; numbers, then texts), how many, those:
 *     numbers    the gap to the number before; 7 bytes of hash if current
 *     texts      code units shared with the text before; the others, in Java's modified UTF-8,
 *                which any code units survive; 7 bytes of hash if current
 *   checksum     4 bytes, CRC-32C of everything before
 * </pre>
 *
 * <p>All is in Base64 without padding. A number key costs 10 to 12 characters. The field, the
 * Base64, the version in front and the checksum behind are the same in every version, so that an
 * older build distinguishes a newer form from damage.
 *
 * <p>Before 0.1.0 several forms had version 1. The last of them is read; a whole segment that is
 * not of that form is of an earlier one. Since then a changed form has a new version.
 */
public final class DigestCodec {

  private static final String FIELD = "digest";
  private static final byte VERSION = 2;
  private static final int HASH = 7;
  private static final long NO_START = -1;

  private DigestCodec() {}

  /** A stored segment cannot be read: it is lost, which is not the same as empty. */
  public static final class DamagedException extends Exception {
    final Problem problem;

    DamagedException(String message) {
      this(Problem.DIGEST_LOST, message, null);
    }

    DamagedException(Problem problem, String message, @Nullable Throwable cause) {
      super(message, cause);
      this.problem = problem;
    }
  }

  public record Decoded(Stored stored, StreamContext context) {}

  /** The offset of a record that carries that image. */
  public static Map<String, Object> encode(Image image, StreamContext context) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try {
      Writer out = new Writer(bytes);
      out.begin(image.header(), context);
      out.entries(image.stored());
      out.checksum(bytes.toByteArray());
    } catch (IOException e) {
      throw new UncheckedIOException(e); // bytes in memory do not fail
    }
    Map<String, Object> offset = new LinkedHashMap<>();
    offset.put(FIELD, Base64.getEncoder().withoutPadding().encodeToString(bytes.toByteArray()));
    context.scope().put(offset);
    return offset;
  }

  /**
   * Decodes the offset of a slot. Its checksum is verified first, so what follows is what some
   * build wrote.
   *
   * @throws DamagedException when it is not exactly what {@link #encode} gave, here or in an
   *     earlier build
   * @throws ConnectException when a newer build has written it
   */
  public static Decoded decode(StreamPartition slot, Map<String, ?> offset)
      throws DamagedException {
    byte[] bytes = bytes(offset);
    int end = bytes.length - Integer.BYTES;
    if (end <= 0 || ByteBuffer.wrap(bytes).getInt(end) != checksumOf(bytes, end)) {
      throw new DamagedException("its checksum does not fit");
    }
    byte version = bytes[0];
    if (version > VERSION) {
      throw new ConnectException(StreamOffsetFields.newer(slot.toString(), version, VERSION));
    }
    if (version < 1) {
      throw new DamagedException("its version is " + version + ", known is " + VERSION);
    }
    try {
      return new Reader(DecoderFactory.get().binaryDecoder(bytes, 1, end - 1, null))
          .segment(slot.number(), DigestScope.of(offset), version);
    } catch (IOException | RuntimeException e) { // whatever decoders throw
      throw new DamagedException(
          version < VERSION ? Problem.OFFSET_OLDER : Problem.DIGEST_LOST,
          "it does not have the form of version " + version,
          e);
    }
  }

  /**
   * Marks what a name, or the number of a slot, stands for: something else there has another mark.
   */
  static String mark(Object name, Map<?, ?> content) {
    byte[] text = (name + "=" + new TreeMap<>(content)).getBytes(StandardCharsets.UTF_8);
    return String.format(Locale.ROOT, "%08x", checksumOf(text, text.length));
  }

  private static int checksumOf(byte[] bytes, int end) {
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, end);
    return (int) crc.getValue();
  }

  private static byte[] bytes(Map<String, ?> offset) throws DamagedException {
    if (!(offset.get(FIELD) instanceof String text)) {
      throw new DamagedException("there is no text under \"" + FIELD + "\"");
    }
    byte[] bytes;
    try {
      bytes = Base64.getDecoder().decode(text);
    } catch (IllegalArgumentException e) {
      throw new DamagedException(Problem.DIGEST_LOST, "it is not Base64", e);
    }
    // The decoder takes padding and spare bits that the encoder never writes.
    if (!Base64.getEncoder().withoutPadding().encodeToString(bytes).equals(text)) {
      throw new DamagedException("it is not the Base64 that was written");
    }
    return bytes;
  }

  private static int kind(StoredEntry entry) {
    return entry.state().code() + (entry.key().isNumber() ? 0 : State.CODES);
  }

  /** Writes the parts of a segment in their order. */
  private static final class Writer {
    private final DataOutputStream data;
    private final BinaryEncoder avro; // unbuffered, so both may write in turn
    private long number;
    private String text = "";

    Writer(ByteArrayOutputStream bytes) {
      data = new DataOutputStream(bytes);
      avro = EncoderFactory.get().directBinaryEncoder(bytes, null);
    }

    void begin(Header header, StreamContext context) throws IOException {
      data.writeByte(VERSION);
      avro.writeString(context.snapshot().id());
      avro.writeBoolean(context.snapshot().runsInSegment());
      avro.writeLong(start(context.snapshot()));
      data.writeLong(header.run());
      avro.writeLong(header.sequence());
      avro.writeLong(header.sequence() - header.head());
      data.writeLong(header.base());
      avro.writeLong(header.sequence() + 1 - header.floor());
      data.writeLong(header.sum());
      avro.writeInt(header.slots());
      avro.writeLong(context.numbering().seq());
      avro.writeLong(context.numbering().epochMillis());
      avro.writeString("");
      avro.writeString(context.identity());
      avro.writeString(context.scope().contract());
      avro.writeString(context.damaged());
    }

    private static long start(Snapshot snapshot) {
      return snapshot.hasStart() ? snapshot.start().toEpochMilli() : NO_START;
    }

    void entries(List<StoredEntry> entries) throws IOException {
      avro.writeInt(entries.size());
      for (int from = 0; from < entries.size(); ) {
        int kind = kind(entries.get(from));
        int to = from;
        while (to < entries.size() && kind(entries.get(to)) == kind) {
          to++;
        }
        avro.writeInt(kind);
        avro.writeInt(to - from);
        for (StoredEntry entry : entries.subList(from, to)) {
          entry(entry);
        }
        from = to;
      }
    }

    private void entry(StoredEntry entry) throws IOException {
      if (entry.key().isNumber()) {
        avro.writeLong(entry.key().number() - number);
        number = entry.key().number();
      } else {
        String before = text;
        text = entry.key().text();
        int differs = Arrays.mismatch(before.toCharArray(), text.toCharArray());
        int shared = differs < 0 ? text.length() : differs;
        avro.writeInt(shared);
        data.writeUTF(text.substring(shared));
      }
      if (entry.state() == State.CURRENT) {
        byte[] hash = ByteBuffer.allocate(Long.BYTES).putLong(entry.hash()).array();
        avro.writeFixed(hash, Long.BYTES - HASH, HASH);
      }
    }

    void checksum(byte[] written) throws IOException {
      data.writeInt(checksumOf(written, written.length));
    }
  }

  /** Reads what {@link Writer} wrote; the decoder takes no more memory than there are bytes. */
  private static final class Reader {
    private final BinaryDecoder avro;
    private final DataInputStream data; // of the same bytes, so both may read in turn
    private long number;
    private String text = "";

    Reader(BinaryDecoder avro) {
      this.avro = avro;
      data = new DataInputStream(avro.inputStream());
    }

    Decoded segment(int slot, DigestScope scope, byte version) throws IOException {
      String snapshotId = avro.readString();
      boolean runs = avro.readBoolean();
      long start = avro.readLong();
      long run = data.readLong();
      long sequence = avro.readLong();
      long head = sequence - avro.readLong();
      long base = data.readLong();
      long floor = sequence + 1 - avro.readLong();
      long sum = data.readLong();
      int slots = avro.readInt();
      Numbering numbering = new Numbering(avro.readLong(), avro.readLong());
      String keyNames = avro.readString();
      String identity = avro.readString();
      StreamContext context =
          new StreamContext(
              Snapshot.parse(snapshotId, runs)
                  .since(start == NO_START ? Instant.MIN : Instant.ofEpochMilli(start)),
              scope.under(keyNames).withContract(avro.readString()),
              numbering,
              identity,
              version == 1 ? "" : avro.readString());
      int length = avro.readInt();
      Header header = new Header(run, sequence, length, head, base, floor, sum, slots);
      return new Decoded(new Stored(header, slot, entries(length)), context);
    }

    private List<StoredEntry> entries(int length) throws IOException {
      List<StoredEntry> entries = new ArrayList<>();
      while (entries.size() < length) {
        int kind = avro.readInt();
        boolean numbers = kind < State.CODES;
        State state = State.of(numbers ? kind : kind - State.CODES);
        for (int left = avro.readInt(); left > 0; left--) {
          Key key = numbers ? number() : text();
          entries.add(new StoredEntry(key, state, state == State.CURRENT ? hash() : 0));
        }
      }
      if (entries.size() != length || !avro.isEnd()) {
        throw new IOException("it has more than it announces");
      }
      return entries;
    }

    private Key number() throws IOException {
      number += avro.readLong();
      return Key.of(number);
    }

    private Key text() throws IOException {
      text = text.substring(0, avro.readInt()) + data.readUTF();
      return Key.of(text);
    }

    private long hash() throws IOException {
      byte[] hash = new byte[Long.BYTES];
      avro.readFixed(hash, Long.BYTES - HASH, HASH);
      return ByteBuffer.wrap(hash).getLong();
    }
  }
}
