package io.posconnect.offset;

import java.util.AbstractMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A record's offset, which is made only when Connect asks for its entries. For most records Connect
 * never asks. Thread-safe.
 */
public final class LazyOffset extends AbstractMap<String, Object> {

  private @Nullable Supplier<? extends Map<String, ?>> source;
  private @Nullable Map<String, Object> content;

  /**
   * An offset of what {@code source} will give.
   *
   * @param source called at most once to the end, by any thread; may be asked long after, so it
   *     must not depend on what changes meanwhile
   */
  public LazyOffset(Supplier<? extends Map<String, ?>> source) {
    this.source = source;
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

  /** Names no content: records are printed in logs. */
  @Override
  public String toString() {
    return "offset";
  }
}
