package io.posconnect.offset;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A record's offset that is made only when Connect asks for its entries, which for most records it
 * never does; and then only once. Thread-safe.
 *
 * <p>Unlike other maps it is equal to itself alone: records, which sit in hash maps, compare their
 * offsets, and that must cost nothing.
 *
 * @param <T> what the record's sender wants to know again when the record is acknowledged
 */
public final class LazyOffset<T> extends AbstractMap<String, Object> {

  private final T tag;
  private @Nullable Supplier<? extends Map<String, ?>> source;
  private @Nullable Map<String, Object> content;

  /**
   * An offset of what {@code source} will give.
   *
   * @param source called at most once to the end, by any thread; may be asked long after, so it
   *     must not depend on what changes meanwhile
   */
  public LazyOffset(T tag, Supplier<? extends Map<String, ?>> source) {
    this.tag = Objects.requireNonNull(tag, "tag is null");
    this.source = Objects.requireNonNull(source, "source is null");
  }

  public T tag() {
    return tag;
  }

  @Override
  public Set<Entry<String, Object>> entrySet() {
    return content().entrySet();
  }

  private synchronized Map<String, Object> content() {
    if (content == null) {
      content = Map.copyOf(Objects.requireNonNull(source).get());
      source = null;
    }
    return content;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other;
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(this);
  }

  /** Names the tag only: records are printed in logs. */
  @Override
  public String toString() {
    return "offset of " + tag;
  }
}
