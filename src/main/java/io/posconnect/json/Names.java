package io.posconnect.json;

import io.posconnect.resource.FieldName;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The names of an object's fields, in the order in which they came. Most rows have the names of a
 * row before, so what is derived from them is derived once: see {@link Derived}. Immutable, and
 * safe for several threads.
 */
public final class Names {

  /** The names of a value without fields. */
  public static final Names NONE = new Names(new String[0]);

  private static final Integer NO_FIELD = -1;

  // So many kinds of rows are remembered.
  private static final int MOST = 64;

  // Names that take more are data, and no other row has them: they would stay in the heap.
  private static final int MOST_BYTES = 32_000;

  // What a name takes beside its characters.
  private static final int NAME_OVERHEAD = 64;

  private final String[] names;
  private final int hash;
  private final Map<String, Integer> found = new ConcurrentHashMap<>();
  private volatile @Nullable Map<String, Integer> index;

  /** Takes ownership of the array. */
  Names(String[] names) {
    this.names = names;
    this.hash = Arrays.hashCode(names);
  }

  int size() {
    return names.length;
  }

  private boolean mayBeRemembered() {
    long bytes = (long) NAME_OVERHEAD * names.length;
    for (String name : names) {
      bytes += name.length();
    }
    return bytes <= MOST_BYTES;
  }

  public List<String> list() {
    return Collections.unmodifiableList(Arrays.asList(names));
  }

  /** See {@link Row#find}. */
  public int find(String name) {
    Integer known = found.get(name);
    return known != null
        ? known
        : found.computeIfAbsent(name, any -> index().getOrDefault(any, NO_FIELD));
  }

  // Sorted, not hashed: no choice of names makes a sorted map slow.
  private Map<String, Integer> index() {
    Map<String, Integer> known = index;
    if (known == null) {
      known = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      for (int field = 0; field < names.length; field++) {
        String name = FieldName.composed(names[field]);
        if (known.putIfAbsent(name, field) != null) {
          known.put(name, NO_FIELD);
        }
      }
      for (String name : names) {
        known.putIfAbsent(name, known.getOrDefault(FieldName.composed(name), NO_FIELD));
      }
      index = known;
    }
    return known;
  }

  private boolean are(Tape values, int object) {
    int field = object + 1;
    for (String name : names) {
      if (field == values.next(object) || !name.equals(values.name(field))) {
        return false;
      }
      field = values.next(field);
    }
    return field == values.next(object);
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return this == other
        || (other instanceof Names that && hash == that.hash && Arrays.equals(names, that.names));
  }

  @Override
  public int hashCode() {
    return hash;
  }

  /** Remembers the names of the latest objects, as far as they are few. For one thread. */
  static final class Known {

    private final @Nullable Names[] names = new Names[MOST];
    private @Nullable String[] latest = new String[0];
    private Names ofLatest = NONE;

    /**
     * The names of a text without nested objects and arrays.
     *
     * @param own those of all its values; the same array for texts with the same names
     */
    Names of(Tape flat, @Nullable String[] own) {
      if (latest != own) {
        ofLatest = of(flat, 0);
        latest = own;
      }
      return ofLatest;
    }

    Names of(Tape values, int object) {
      int hash = 1;
      int size = 0;
      for (int field = object + 1; field < values.next(object); field = values.next(field)) {
        hash = 31 * hash + values.name(field).hashCode();
        size++;
      }
      int place = Math.floorMod(hash, MOST);
      Names known = names[place];
      if (known == null || !known.are(values, object)) {
        int[] fields = values.within(object, size);
        known = new Names(IntStream.of(fields).mapToObj(values::name).toArray(String[]::new));
        if (known.mayBeRemembered()) {
          names[place] = known;
        }
      }
      return known;
    }
  }

  /**
   * Remembers what was derived from the names of the latest rows, as far as they are few. Safe for
   * several threads.
   */
  public static final class Derived<T> {

    private final Function<Names, T> derive;
    private final @Nullable Entry<T>[] entries;

    private record Entry<T>(Names names, T derived) {}

    @SuppressWarnings({"unchecked", "rawtypes"})
    public Derived(Function<Names, T> derive) {
      this.derive = derive;
      this.entries = new Entry[MOST];
    }

    @SuppressWarnings("ReferenceEquality") // Others that are equal take longer to compare.
    public T of(Names names) {
      int place = Math.floorMod(names.hash, MOST);
      Entry<T> entry = entries[place];
      if (entry == null || !entry.names().equals(names)) {
        entry = new Entry<>(names, derive.apply(names));
        if (names.mayBeRemembered()) {
          entries[place] = entry;
        }
      } else if (entry.names() != names) {
        // For the next row of the same stream: streams share what is derived, and no names.
        entries[place] = new Entry<>(names, entry.derived());
      }
      return entry.derived();
    }
  }
}
