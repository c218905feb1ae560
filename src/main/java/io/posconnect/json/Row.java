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
 * its top-level fields stands in it. Immutable; its bytes are not to be written to.
 *
 * <p>An element that exceeds a limit or is not JSON is a row with a {@link Fault}: it has no kind
 * and no fields of its own, only the beginning of its text and what could still be read of it.
 */
public final class Row {

  /** The kinds of JSON values. */
  public enum Kind {
    OBJECT,
    ARRAY,
    STRING,
    NUMBER,
    BOOLEAN,
    NULL
  }

  // The most that a dead letter shows of an element that is too large.
  private static final int BEGINNING = 64 * 1024;

  /** An element of which nothing is known. */
  static final Row NOTHING = new Row(new byte[0], Kind.NULL, Fields.NONE, 0);

  private final byte[] json;
  private final Kind kind;
  private final Fields fields;
  private final long replaced;
  private final @Nullable Fault fault;

  /**
   * Takes ownership of the text.
   *
   * @param json the element's text in UTF-8
   * @param kind only an {@link Kind#OBJECT} has fields
   * @param replaced bytes of the text that were not UTF-8
   */
  Row(byte[] json, Kind kind, Fields fields, long replaced) {
    this(json, kind, fields, replaced, null);
  }

  private Row(byte[] json, Kind kind, Fields fields, long replaced, @Nullable Fault fault) {
    this.json = Objects.requireNonNull(json, "json is null");
    this.kind = Objects.requireNonNull(kind, "kind is null");
    this.fields = Objects.requireNonNull(fields, "fields is null");
    this.replaced = replaced;
    this.fault = fault;
  }

  /**
   * The top-level fields of an object: the names, and for each the kind of its value, the index of
   * the first byte and the index behind the last. Takes ownership of the arrays.
   */
  static final class Fields {

    static final Fields NONE = new Fields(Names.NONE, new Kind[0], new int[0], new int[0]);

    private final Names names;
    private final Kind[] kinds;
    private final int[] starts;
    private final int[] ends;

    Fields(Names names, Kind[] kinds, int[] starts, int[] ends) {
      this.names = names;
      this.kinds = kinds;
      this.starts = starts;
      this.ends = ends;
    }
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
      return new RowReader(JsonText.JSON).read(bytes, 0);
    } catch (IOException e) {
      throw new IllegalArgumentException("not one JSON value", e);
    }
  }

  /**
   * The reason why an element cannot become a row, and what is known of it nevertheless.
   *
   * @param detail the limit that it exceeds, such as {@code 200 levels of nesting}, or the place
   *     where it is not JSON; holds nothing of the element
   * @param length bytes of all of it
   * @param hash SHA-256 of all of it, in hexadecimal digits; where fields are private, of its
   *     length and its readable fields
   * @param readable its top-level fields as far as they can be read; an object or array among them
   *     is shown empty
   * @param complete whether no other field can follow the readable ones
   */
  public record Fault(
      Type type, String detail, long length, String hash, Row readable, boolean complete) {

    /** The kinds of faults. */
    public enum Type {
      EXCEEDS_LIMIT,
      NOT_JSON,
      /** Reported where fields are private: of other values nothing can be removed. */
      NOT_AN_OBJECT
    }
  }

  /** An element that cannot be read as a row, with the beginning of its text. */
  static Row broken(Fault fault, byte[] beginning, long replaced) {
    return new Row(beginning, Kind.NULL, Fields.NONE, replaced, fault);
  }

  /** Returns why the element is broken; empty for a row that can be read. */
  public Optional<Fault> fault() {
    return Optional.ofNullable(fault);
  }

  /** Bytes of the element that were not UTF-8; its text holds U+FFFD in place of each. */
  public long replaced() {
    return replaced;
  }

  /** Returns whether it may have been damaged on its way: it is not UTF-8, or not JSON. */
  public boolean isDamaged() {
    return replaced > 0 || (fault != null && fault.type() == Fault.Type.NOT_JSON);
  }

  /** Returns whether nothing of the text may be shown, since private fields may stand in it. */
  public boolean isWithheld() {
    return fault != null && json.length == 0;
  }

  /** The beginning of its text, at most 64 KiB. */
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
    return fault == null ? json.length : fault.length();
  }

  /** SHA-256 of the whole element, in hexadecimal digits. */
  public String hash() {
    return fault == null ? HexFormat.of().formatHex(sha256().digest(json)) : fault.hash();
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
    return names().names.length;
  }

  public String name(int field) {
    return names().names[Objects.checkIndex(field, size())];
  }

  /** The fields' names; rows share an instance, so what is derived from it can be kept. */
  public Names names() {
    return fields.names;
  }

  /**
   * Index of the only field whose name is the given one, case aside; -1 when there is none, or more
   * than one: of two names that differ only in case, neither is the field that was meant.
   */
  public int find(String name) {
    return names().find(name);
  }

  /** Returns whether another field of this row has the same name, case aside. */
  public boolean ambiguous(int field) {
    return names().find(name(field)) < 0;
  }

  public Kind kind(int field) {
    return fields.kinds[Objects.checkIndex(field, size())];
  }

  /** The field's value exactly as it was sent, quotes and escapes included. */
  public String text(int field) {
    return new String(json, start(field), end(field) - start(field), StandardCharsets.UTF_8);
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
    return fields.starts[Objects.checkIndex(field, size())];
  }

  public int end(int field) {
    return fields.ends[Objects.checkIndex(field, size())];
  }

  /** The whole element as it was sent. */
  public String json() {
    return new String(json, StandardCharsets.UTF_8);
  }

  /**
   * The names of a row's fields, in the order in which they came. Rows that follow each other and
   * have the same fields share one instance, so what is derived from the names is derived once.
   * Safe for several threads.
   */
  public static final class Names {

    /** The names of a value without fields. */
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

    /** Returns whether these are exactly the first names of the array. */
    boolean are(String[] others, int count) {
      return Arrays.equals(names, 0, names.length, others, 0, count);
    }

    // Sorted, not hashed: no choice of names makes a sorted map slow.
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
