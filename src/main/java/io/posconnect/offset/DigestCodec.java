package io.posconnect.offset;

import io.posconnect.resource.Key;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.zip.CRC32C;

/**
 * The stored form of one bucket of a digest: entries to text, and back.
 *
 * <pre>
 *   version      1 byte, 1
 *   snapshot id  length, UTF-8
 *   counts       numbers, texts
 *   runs         how many, then how many entries are current, then stale, then current, …
 *   numbers      the first zigzag, then the gap to the one before less one; 6 bytes of hash each
 *   texts        code units shared with the one before, further ones, those; 6 bytes of hash each
 *   checksum     4 bytes, CRC-32C of everything before
 * </pre>
 *
 * <p>Lengths, counts and gaps are unsigned variable-length integers of 7 bits a byte; a code unit
 * takes 1 to 3 bytes, as UTF-8 would for a character of its own, so that any text survives. All is
 * in Base64 without padding. An integer key costs 9 to 11 characters.
 */
public final class DigestCodec {

  private static final String FIELD = "digest";
  private static final String KEYS = "keys";
  private static final byte VERSION = 1;
  private static final int CHECKSUM = 4;

  private DigestCodec() {}

  /** The stored state of a bucket cannot be read: it is lost, which is not the same as empty. */
  public static final class DamagedException extends Exception {
    private static final long serialVersionUID = 1L;

    DamagedException(String message) {
      super(message);
    }

    DamagedException(String message, Throwable cause) {
      super(message, cause);
    }
  }

  /** What a stored bucket holds. Its entries are current only within the snapshot it names. */
  public record Decoded(String snapshotId, List<Entry> entries) {
    public Decoded {
      Objects.requireNonNull(snapshotId, "snapshotId is null");
      entries = List.copyOf(entries);
    }
  }

  /**
   * One key and what was said about it.
   *
   * @param hash content hash, 48 bits
   */
  public record Entry(Key key, long hash, boolean current) {
    public Entry {
      Objects.requireNonNull(key, "key is null");
    }
  }

  /** Takes the entries of one bucket in ascending order of keys; used once. */
  public static final class Encoder {
    private final ByteWriter entries = new ByteWriter();
    private final ByteWriter runs = new ByteWriter();
    private final String snapshotId;
    private int numbers;
    private int texts;
    private int runCount;
    private int run;
    private boolean runCurrent = true;
    private long number;
    private String text = "";

    /** An encoder of a state that belongs to the snapshot of that id. */
    public Encoder(String snapshotId) {
      this.snapshotId = Objects.requireNonNull(snapshotId, "snapshotId is null");
    }

    /**
     * Adds an entry.
     *
     * @throws IllegalArgumentException when the key does not follow the one before
     */
    public void add(Key key, long hash, boolean current) {
      if (key.isNumber()) {
        add(key.number());
      } else {
        add(key.text());
      }
      entries.hash(hash);
      if (current != runCurrent) {
        endRun();
        runCurrent = current;
      }
      run++;
    }

    private void add(long next) {
      if (texts > 0 || (numbers > 0 && next <= number)) {
        throw outOfOrder();
      }
      entries.varint(numbers == 0 ? (next << 1) ^ (next >> 63) : next - number - 1);
      number = next;
      numbers++;
    }

    private void add(String next) {
      if (texts > 0 && next.compareTo(text) <= 0) {
        throw outOfOrder();
      }
      int shared = 0;
      int limit = Math.min(next.length(), text.length());
      while (shared < limit && next.charAt(shared) == text.charAt(shared)) {
        shared++;
      }
      entries.varint(shared);
      entries.varint(next.length() - shared);
      entries.units(next, shared);
      text = next;
      texts++;
    }

    private static IllegalArgumentException outOfOrder() {
      return new IllegalArgumentException("keys are not in ascending order");
    }

    private void endRun() {
      runs.varint(run);
      runCount++;
      run = 0;
    }

    /** The bucket's text. */
    public String finish() {
      endRun();
      byte[] id = snapshotId.getBytes(StandardCharsets.UTF_8);
      ByteWriter all = new ByteWriter();
      all.one(VERSION);
      all.varint(id.length);
      all.all(id, id.length);
      all.varint(numbers);
      all.varint(texts);
      all.varint(runCount);
      all.append(runs);
      all.append(entries);
      all.checksum();
      return all.base64();
    }

    /**
     * The bucket's offset, as Connect takes it.
     *
     * @param keys what the keys are made of, as the caller spells it
     */
    public Map<String, Object> toMap(String keys) {
      return Map.of(FIELD, finish(), KEYS, keys);
    }
  }

  /**
   * Reads a bucket's offset.
   *
   * @throws DamagedException when it is not exactly what an {@link Encoder} of a known version gave
   */
  public static Decoded decode(Map<String, ?> offset) throws DamagedException {
    if (!(offset.get(FIELD) instanceof String text)) {
      throw new DamagedException("there is no text under \"" + FIELD + "\"");
    }
    return decode(text);
  }

  /** What the keys of a bucket's offset are made of; empty where it does not say. */
  public static String keys(Map<String, ?> offset) {
    return offset.get(KEYS) instanceof String text ? text : "";
  }

  /** Like {@link #decode(Map)}, of the text alone. */
  public static Decoded decode(String text) throws DamagedException {
    byte[] bytes = bytes(text);
    if (bytes.length < 1 + CHECKSUM) {
      throw new DamagedException("it is truncated");
    }
    if (bytes[0] != VERSION) {
      throw new DamagedException("its version is " + bytes[0] + ", known is " + VERSION);
    }
    int end = bytes.length - CHECKSUM;
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, end);
    ByteReader checksum = new ByteReader(bytes, end, bytes.length);
    if (checksum.big(CHECKSUM) != crc.getValue()) {
      throw new DamagedException("its checksum does not fit");
    }
    return content(new ByteReader(bytes, 1, end));
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

  private static Decoded content(ByteReader in) throws DamagedException {
    String snapshotId = in.utf8(in.count());
    int numbers = in.count();
    int texts = in.count();
    int[] runs = new int[in.count()];
    for (int i = 0; i < runs.length; i++) {
      runs[i] = in.count();
    }
    List<Entry> entries = new ArrayList<>(numbers + texts);
    Runs current = new Runs(runs);
    long number = 0;
    for (int i = 0; i < numbers; i++) {
      long read = in.varint();
      number = i == 0 ? (read >>> 1) ^ -(read & 1) : number + read + 1;
      entries.add(new Entry(Key.of(number), in.big(ByteWriter.HASH), current.next()));
    }
    String text = "";
    for (int i = 0; i < texts; i++) {
      text = in.units(text);
      entries.add(new Entry(Key.of(text), in.big(ByteWriter.HASH), current.next()));
    }
    in.expectEnd();
    return new Decoded(snapshotId, entries);
  }

  /** Which entries are current: every other run, beginning with the first. */
  private static final class Runs {
    private final int[] runs;
    private int run;
    private int used;

    Runs(int[] runs) {
      this.runs = runs;
    }

    boolean next() throws DamagedException {
      while (run < runs.length && used == runs[run]) {
        run++;
        used = 0;
      }
      if (run == runs.length) {
        throw new DamagedException("it has more entries than it says");
      }
      used++;
      return (run & 1) == 0;
    }
  }
}
