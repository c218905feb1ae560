package io.posconnect.json;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds one element of a resource as the service sent it: the original JSON text and where each of
 * its top-level fields stands in it. Immutable as long as nobody writes to its bytes.
 */
public final class Row {

  /** What a JSON value is. */
  public enum Kind {
    OBJECT,
    ARRAY,
    STRING,
    NUMBER,
    BOOLEAN,
    NULL
  }

  // What is told of an element that is too large to be told.
  private static final int BEGINNING = 64 * 1024;

  private final byte[] json;
  private final Kind kind;
  private final Names names;
  private final Kind[] kinds;
  private final int[] starts;
  private final int[] ends;
  private final @Nullable Excess excess;

  /**
   * Takes ownership of the arrays, in which there are as many fields as names.
   *
   * @param json the element's text in UTF-8
   * @param kind what the element is; only an {@link Kind#OBJECT} has fields
   * @param starts index of the first byte of each field's value
   * @param ends index behind the last byte of each field's value
   */
  Row(byte[] json, Kind kind, Names names, Kind[] kinds, int[] starts, int[] ends) {
    this(json, kind, names, kinds, starts, ends, null);
  }

  private Row(
      byte[] json,
      Kind kind,
      Names names,
      Kind[] kinds,
      int[] starts,
      int[] ends,
      @Nullable Excess excess) {
    this.json = Objects.requireNonNull(json, "json is null");
    this.kind = Objects.requireNonNull(kind, "kind is null");
    this.names = Objects.requireNonNull(names, "names is null");
    this.kinds = kinds;
    this.starts = starts;
    this.ends = ends;
    this.excess = excess;
  }

  /**
   * Reads one element from its text, whatever its size.
   *
   * @throws IllegalArgumentException when the text is not exactly one JSON value
   */
  public static Row parse(String json) {
    return parse(json.trim().getBytes(StandardCharsets.UTF_8));
  }

  static Row parse(byte[] bytes) {
    try {
      return new RowReader(JsonText.JSON).read(bytes);
    } catch (IOException e) {
      throw new IllegalArgumentException("not one JSON value", e);
    }
  }

  /**
   * What is known of an element that exceeds a limit.
   *
   * @param limit which
   * @param length bytes of all of it
   * @param hash SHA-256 of all of it, in hexadecimal digits
   */
  record Excess(String limit, long length, String hash) {}

  /** An element of which only the beginning is held, as it was not to be read. */
  static Row beyond(Excess excess, byte[] beginning) {
    Kind unread = Kind.NULL;
    return new Row(beginning, unread, Names.NONE, new Kind[0], new int[0], new int[0], excess);
  }

  /**
   * Which limit it exceeds, such as {@code 200 levels of nesting}: then it has no fields, and its
   * text is only the beginning. Empty for a row that can be read.
   */
  public Optional<String> excess() {
    return excess == null ? Optional.empty() : Optional.of(excess.limit());
  }

  /** The first of its text, at most 64 KiB of it. */
  public String beginning() {
    int end = Math.min(json.length, BEGINNING);
    // Not in the middle of a character.
    while (end < json.length && (json[end] & 0xC0) == 0x80) {
      end--;
    }
    return new String(json, 0, end, StandardCharsets.UTF_8);
  }

  /** Bytes of the whole element. */
  public long length() {
    return excess == null ? json.length : excess.length();
  }

  /** SHA-256 of the whole element, in hexadecimal digits. */
  public String hash() {
    return excess == null ? HexFormat.of().formatHex(sha256().digest(json)) : excess.hash();
  }

  static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every platform has SHA-256", e);
    }
  }

  public Kind kind() {
    return kind;
  }

  /** Number of top-level fields; 0 unless this is an object. */
  public int size() {
    return names.names.length;
  }

  public String name(int field) {
    return names.names[Objects.checkIndex(field, size())];
  }

  /**
   * The fields' names; the same instance for many rows, so that what follows from it can be kept.
   */
  public Names names() {
    return names;
  }

  /**
   * Index of the only field whose name is the given one, case aside; -1 when there is none, or more
   * than one: of two names that differ only in case, neither is the field that was meant.
   */
  public int find(String name) {
    return names.find(name);
  }

  /** Whether another field of this row has the same name, case aside. */
  public boolean ambiguous(int field) {
    return names.find(name(field)) < 0;
  }

  public Kind kind(int field) {
    return kinds[Objects.checkIndex(field, size())];
  }

  /** The field's value exactly as it was sent, quotes and escapes included. */
  public String text(int field) {
    Objects.checkIndex(field, size());
    return new String(json, starts[field], ends[field] - starts[field], StandardCharsets.UTF_8);
  }

  /**
   * The field's value as a person reads it: a string unquoted and unescaped, anything else as it
   * was sent.
   */
  public String value(int field) {
    return JsonText.of(this, field).value();
  }

  /**
   * The text that the indices of {@link #start} and {@link #end} refer to. Not to be written to.
   */
  public byte[] bytes() {
    return json;
  }

  public int start(int field) {
    return starts[Objects.checkIndex(field, size())];
  }

  public int end(int field) {
    return ends[Objects.checkIndex(field, size())];
  }

  /** The whole element as it was sent. */
  public String json() {
    return new String(json, StandardCharsets.UTF_8);
  }

  /**
   * The names of a row's fields, in the order in which they came. Rows that follow each other and
   * have the same fields share one instance, so what is worked out about the names is worked out
   * once. Safe for several threads.
   */
  public static final class Names {

    /** Of what has no fields. */
    public static final Names NONE = new Names(new String[0]);

    private static final Integer AMBIGUOUS = -1;

    private final String[] names;
    private volatile @Nullable Map<String, Integer> index;

    /** Takes ownership of the array. */
    Names(String[] names) {
      this.names = names;
    }

    /** The names as they were sent. */
    public List<String> list() {
      return Collections.unmodifiableList(Arrays.asList(names));
    }

    private int find(String name) {
      Integer field = index().get(name);
      return field == null ? -1 : field;
    }

    /** Whether these are exactly the first names of that array. */
    boolean are(String[] others, int count) {
      return Arrays.equals(names, 0, names.length, others, 0, count);
    }

    // Sorted, not hashed: the names are the service's, and nobody can make a sorted map slow.
    private Map<String, Integer> index() {
      Map<String, Integer> known = index;
      if (known == null) {
        known = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        for (int field = 0; field < names.length; field++) {
          if (known.putIfAbsent(names[field], field) != null) {
            known.put(names[field], AMBIGUOUS);
          }
        }
        index = known;
      }
      return known;
    }
  }
}
