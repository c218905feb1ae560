package io.posconnect.json;

import io.posconnect.resource.FieldName;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Holds one element of a resource as the service sent it: the original JSON text and where each of
 * its top-level fields stands in it. Immutable; its bytes are not to be written to.
 *
 * <p>An element that exceeds a limit or is not JSON is a row with a {@link Fault}: it has no kind
 * and no fields of its own, only the beginning of its text and what could still be read of it.
 */
public final class Row {

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

  private static final int[] FLAT = {};

  /** An element of which nothing is known. */
  public static final Row NOTHING = new Row(Tape.unreadable(new byte[0]), 0, 0);

  private final Tape values;
  private final int self;
  private final Names names;

  // The places of the fields, unless each follows the one before.
  private final int[] fields;
  private final long replaced;
  private final @Nullable Fault fault;

  /**
   * @param self the number of the element among the values
   * @param replaced bytes of the text that were not UTF-8
   */
  Row(Tape values, int self, long replaced) {
    this(values, self, replaced, null);
  }

  private Row(Tape values, int self, long replaced, @Nullable Fault fault) {
    this.values = values;
    this.self = self;
    this.names = values.names(self);
    boolean flat = values.next(self) - self - 1 == names.size();
    this.fields = flat ? FLAT : values.within(self, names.size());
    this.replaced = replaced;
    this.fault = fault;
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

    public enum Type {
      EXCEEDS_LIMIT,
      NOT_JSON,
      /** Reported where fields are private: of other values nothing can be removed. */
      NOT_AN_OBJECT
    }
  }

  /** An element that cannot be read as a row, with the beginning of its text. */
  static Row broken(Fault fault, byte[] beginning, long replaced) {
    return new Row(Tape.unreadable(beginning), 0, replaced, fault);
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
    return fault != null && values.json().length == 0;
  }

  /** The beginning of its text, at most 64 KiB. */
  public String beginning() {
    byte[] json = values.json();
    int start = values.start(self);
    int end = Utf8.lastWhole(json, start, Math.min(values.end(self), start + BEGINNING));
    return new String(json, start, end - start, StandardCharsets.UTF_8);
  }

  public long length() {
    return fault == null ? values.end(self) - values.start(self) : fault.length();
  }

  /** SHA-256 of the whole element, in hexadecimal digits. */
  public String hash() {
    if (fault != null) {
      return fault.hash();
    }
    MessageDigest all = sha256();
    all.update(values.json(), values.start(self), values.end(self) - values.start(self));
    return HexFormat.of().formatHex(all.digest());
  }

  /** A digest that hashes nothing yet. */
  public static MessageDigest sha256() {
    try {
      return MessageDigest.getInstance("SHA-256");
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every platform has SHA-256", e);
    }
  }

  public Kind kind() {
    return values.kind(self);
  }

  /** Number of top-level fields; 0 unless this is an object. */
  public int size() {
    return names.size();
  }

  public String name(int field) {
    return values.name(place(field));
  }

  public Names names() {
    return names;
  }

  /**
   * Index of the only field whose name is the given one, case aside; -1 when there is none, or more
   * than one: of two names that differ only in case, neither is the field that was meant.
   *
   * @param name in the composed form of {@link FieldName}, or as a field of this row is named
   */
  public int find(String name) {
    return names.find(name);
  }

  /** Returns whether another field of this row has the same name, case aside. */
  public boolean ambiguous(int field) {
    return names.find(name(field)) < 0;
  }

  public Kind kind(int field) {
    return values.kind(place(field));
  }

  /** The field's value exactly as it was sent, quotes and escapes included. */
  public String text(int field) {
    return text(start(field), end(field));
  }

  /** Where the field's value stands among the values of the text. */
  int place(int field) {
    Objects.checkIndex(field, size());
    return fields == FLAT ? self + 1 + field : fields[field];
  }

  Tape values() {
    return values;
  }

  int self() {
    return self;
  }

  /**
   * The text that the indices of {@link #start} and {@link #end} refer to. Not to be written to.
   */
  public byte[] bytes() {
    return values.json();
  }

  public int start(int field) {
    return values.start(place(field));
  }

  public int end(int field) {
    return values.end(place(field));
  }

  public String json() {
    return text(values.start(self), values.end(self));
  }

  private String text(int start, int end) {
    return new String(values.json(), start, end - start, StandardCharsets.UTF_8);
  }
}
