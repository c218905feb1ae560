package io.posconnect.fetch;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToLongFunction;

/** Holds every version of every row of the service, and when reads show it. */
final class Table {

  /**
   * A version of the row of one key.
   *
   * @param key index of the key
   * @param number counts the key's versions, deletions included, from 1
   * @param content of the row; null when it is gone
   * @param modified server time by which the service filters it, in milliseconds
   * @param visible server time from which reads show it; not before {@code modified}
   */
  record Version(int key, int number, String content, long modified, long visible, Flaw flaw) {

    Version(int key, int number, String content, long modified, long visible) {
      this(key, number, content, modified, visible, Flaw.NONE);
    }

    /** Another row under the same key. */
    Version twin() {
      return new Version(key, number, "z", modified, visible, Flaw.TWIN);
    }

    /** Returns whether the row cannot become an event. */
    boolean isBroken() {
      return flaw != Flaw.NONE && flaw != Flaw.TWIN && flaw != Flaw.DAMAGED;
    }

    static Version none(int key) {
      return new Version(key, 0, null, 0, 0);
    }

    boolean exists() {
      return content != null;
    }

    /** Returns whether both are different rows of one key. */
    boolean mayBeTwinOf(Version other) {
      return key == other.key && (other.isBroken() || !sameContent(other));
    }

    boolean sameContent(Version other) {
      return exists() ? content.equals(other.content) : !other.exists();
    }

    @Override
    public String toString() {
      String its = exists() ? "=" + content : " gone";
      return "k"
          + key
          + "v"
          + number
          + its
          + (flaw == Flaw.NONE ? "" : " " + flaw)
          + "@"
          + modified;
    }
  }

  /** A fault of a row. */
  enum Flaw {
    NONE,
    /** Its key is of another type. */
    UNREADABLE_KEY,
    /** It is larger than an event may be. */
    TOO_LARGE,
    /** Its content holds a byte that is not UTF-8, in every answer. */
    DAMAGED,
    /** It is not JSON, in every answer. */
    NOT_JSON,
    /** Its key is of another type, and its text differs in every answer. */
    VOLATILE,
    /** Another row has its key. */
    TWIN
  }

  /** How a list is sorted; rows that are equal by it, by their keys. */
  enum Order {
    BY_KEY(version -> 0),
    NEWEST_FIRST(version -> -version.modified()),
    OLDEST_FIRST(Version::modified),
    NEWEST_HOUR_FIRST(version -> -hour(version)),
    OLDEST_HOUR_FIRST(Order::hour);

    @SuppressWarnings("ImmutableEnumChecker") // It holds nothing.
    private final Comparator<Version> comparator;

    Order(ToLongFunction<Version> value) {
      comparator = Comparator.comparingLong(value);
    }

    private static long hour(Version version) {
      return version.modified() / Setup.HOUR;
    }
  }

  private final List<List<Version>> rows = new ArrayList<>();
  private long lastArrivalOrDeparture;
  private long lastChange;

  Table(int keys) {
    for (int key = 0; key < keys; key++) {
      rows.add(new ArrayList<>());
    }
  }

  int keys() {
    return rows.size();
  }

  /**
   * Writes a row, or removes it when {@code content} is null.
   *
   * @param visible when reads begin to show it; later if an earlier version is not yet visible
   */
  void write(int key, String content, long modified, long visible) {
    write(key, content, modified, visible, Flaw.NONE);
  }

  void write(int key, String content, long modified, long visible, Flaw flaw) {
    Version before = newest(key);
    if (content == null && !before.exists()) {
      return;
    }
    long seen = Math.max(visible, before.visible());
    rows.get(key).add(new Version(key, before.number() + 1, content, modified, seen, flaw));
    lastChange = Math.max(lastChange, seen);
    boolean movesOthers = before.flaw() == Flaw.TWIN || flaw == Flaw.TWIN;
    if (movesOthers || before.exists() != (content != null)) {
      lastArrivalOrDeparture = Math.max(lastArrivalOrDeparture, seen);
    }
  }

  Version newest(int key) {
    List<Version> versions = rows.get(key);
    return versions.isEmpty() ? Version.none(key) : versions.get(versions.size() - 1);
  }

  /** Whether another row has had its key. */
  boolean hadTwin(int key) {
    return rows.get(key).stream().anyMatch(version -> version.flaw() == Flaw.TWIN);
  }

  Version at(int key, long time) {
    List<Version> versions = rows.get(key);
    for (int i = versions.size() - 1; i >= 0; i--) {
      if (versions.get(i).visible() <= time) {
        return versions.get(i);
      }
    }
    return Version.none(key);
  }

  /** The rows that a read as of that time shows. */
  List<Version> list(long time, Order order) {
    List<Version> list = new ArrayList<>();
    for (int key = 0; key < rows.size(); key++) {
      Version version = at(key, time);
      if (version.exists()) {
        list.add(version);
      }
    }
    list.sort(order.comparator);
    return list;
  }

  /** The latest deletion after that version that was visible by that time; null when none was. */
  Version deletionAfter(int key, int number, long time) {
    List<Version> versions = rows.get(key);
    for (int i = versions.size() - 1; i >= 0 && versions.get(i).number() > number; i--) {
      if (!versions.get(i).exists() && versions.get(i).visible() <= time) {
        return versions.get(i);
      }
    }
    return null;
  }

  /** Whether a version after that one could not become an event. */
  boolean wasBrokenAfter(int key, int number) {
    return rows.get(key).stream()
        .anyMatch(version -> version.number() > number && version.isBroken());
  }

  /** When rows last moved within the whole list: in an order of times each change moves a row. */
  long lastShift(Order order) {
    return order == Order.BY_KEY ? lastArrivalOrDeparture : lastChange;
  }
}
