package io.posconnect.resource;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a row within its stream: a whole number where the resource has one integer key
 * field, else the canonical text of its key fields (a JSON array, see {@code RowSchema}).
 *
 * <p>Ordered: numbers by value and before texts, texts by code unit.
 */
public final class Key implements Comparable<Key> {

  // The keys of rows are numbers, or texts that begin with a bracket.
  private static final String DEAD_LETTER = "!";

  private final long number;
  private final @Nullable String text;

  private Key(long number, @Nullable String text) {
    this.number = number;
    this.text = text;
  }

  public static Key of(long number) {
    return new Key(number, null);
  }

  public static Key of(String text) {
    return new Key(0, text);
  }

  /** The key under which a dead letter is remembered, so that it is emitted once. */
  public static Key deadLetter(long contentHash) {
    return of(DEAD_LETTER + Long.toHexString(contentHash));
  }

  /** Returns whether this is the key of a dead letter rather than of a row. */
  public boolean isDeadLetter() {
    return text != null && text.startsWith(DEAD_LETTER);
  }

  public boolean isNumber() {
    return text == null;
  }

  /** The number; an {@link IllegalStateException} for a text. */
  public long number() {
    if (text != null) {
      throw new IllegalStateException("a text key has no number");
    }
    return number;
  }

  /** The text; an {@link IllegalStateException} for a number. */
  public String text() {
    if (text == null) {
      throw new IllegalStateException("a number key has no text");
    }
    return text;
  }

  @Override
  public int compareTo(Key other) {
    if (text == null) {
      return other.text == null ? Long.compare(number, other.number) : -1;
    }
    return other.text == null ? 1 : text.compareTo(other.text);
  }

  // Not a record: an unchanged row asks its key several times, and would take a quarter longer.

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Key key && number == key.number && Objects.equals(text, key.text);
  }

  @Override
  public int hashCode() {
    return text == null ? Long.hashCode(number) : text.hashCode();
  }

  @Override
  public String toString() {
    return text == null ? Long.toString(number) : text;
  }
}
