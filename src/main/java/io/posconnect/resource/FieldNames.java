package io.posconnect.resource;

import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The names of a row's fields, in the order in which they came. Rows that follow each other and
 * have the same fields share one instance, so what is worked out about the names is worked out
 * once. Immutable as long as nobody writes to the array it was given; safe for several threads.
 */
public final class FieldNames {

  /** No fields. */
  public static final FieldNames NONE = new FieldNames(new String[0], 0);

  private static final Integer AMBIGUOUS = -1;

  private final String[] names;
  private final int size;
  private volatile @Nullable Map<String, Integer> index;

  /** Takes ownership of the array; entries from {@code size} on are ignored. */
  public FieldNames(String[] names, int size) {
    this.names = Objects.requireNonNull(names, "names is null");
    Objects.checkFromIndexSize(0, size, names.length);
    this.size = size;
  }

  public int size() {
    return size;
  }

  public String name(int field) {
    return names[Objects.checkIndex(field, size)];
  }

  /**
   * Index of the only field whose name is the given one, case aside; -1 when there is none, or more
   * than one.
   */
  public int find(String name) {
    Integer field = index().get(name);
    return field == null ? -1 : field;
  }

  /** Whether another field has the same name, case aside. */
  public boolean ambiguous(int field) {
    return find(name(field)) < 0;
  }

  /** Whether these are exactly those names in that order. */
  public boolean are(String[] others, int count) {
    return Arrays.equals(names, 0, size, others, 0, count);
  }

  // Sorted, not hashed: the names are the service's, and nobody can make a sorted map slow.
  private Map<String, Integer> index() {
    Map<String, Integer> known = index;
    if (known == null) {
      known = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      for (int field = 0; field < size; field++) {
        if (known.putIfAbsent(names[field], field) != null) {
          known.put(names[field], AMBIGUOUS);
        }
      }
      index = known;
    }
    return known;
  }
}
