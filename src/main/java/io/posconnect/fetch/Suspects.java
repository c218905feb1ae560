package io.posconnect.fetch;

import io.posconnect.resource.Key;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The rows whose key cannot be read, and the keys that they may be, as a position stores them for
 * the next process, whose first pass is number 1 again. Every later build reads this form. The name
 * of a key is a short hash: if two keys share one, more keys are held, never fewer.
 *
 * @param pass the pass under way
 * @param rows since which passes the rows of one text are there, in that order
 * @param keys the first pass that lacked a key; {@link UnreadableRows#NONE} for one that appeared
 */
record Suspects(long pass, Map<Key, List<Long>> rows, Map<String, Long> keys) {

  /** So many rows and keys are stored; where there are more, all rows are new after a start. */
  static final int MOST = 1_000;

  private static final Pattern FORM =
      Pattern.compile("rows (?:!\\w+:\\d{1,18},)*+ keys (?:\\w+:\\d{1,18},)*+");

  private static final Pattern AGE = Pattern.compile(":\\d+");

  private static final Pattern NAMED = Pattern.compile("(!?\\w+):(\\d+),");

  /** Those of that pass; none yet. */
  Suspects(long pass) {
    this(pass, new TreeMap<>(), new TreeMap<>());
  }

  /** Reads a text of {@link #toString}; none if it is empty, or has another form. */
  static Suspects parse(String text) {
    Suspects suspects = new Suspects(1);
    Matcher matcher = FORM.matcher(text);
    if (matcher.matches()) {
      NAMED
          .matcher(text)
          .results()
          .forEach(
              each -> {
                long age = Long.parseLong(each.group(2));
                if (each.group(1).startsWith("!")) {
                  suspects.addRow(Key.of(each.group(1)), 1 - age);
                } else {
                  suspects.add(each.group(1), age == 0 ? UnreadableRows.NONE : 1 - age);
                }
              });
    }
    return suspects;
  }

  /** Returns whether two stored texts name the same rows and keys, whatever their ages. */
  static boolean haveSameNames(String text, String other) {
    return AGE.matcher(text).replaceAll("").equals(AGE.matcher(other).replaceAll(""));
  }

  void addRow(Key deadLetter, long since) {
    rows.computeIfAbsent(deadLetter, each -> new ArrayList<>()).add(since);
  }

  void addKey(Key key, long missingSince) {
    add(name(key), missingSince);
  }

  private void add(String name, long missingSince) {
    keys.merge(name, missingSince, Math::min);
  }

  /** The first pass that lacked the key; empty where it is none of the rows. */
  Optional<Long> missingSince(Key key) {
    return Optional.ofNullable(keys.get(name(key)));
  }

  private static String name(Key key) {
    return Integer.toHexString(key.toString().hashCode());
  }

  /** As it is stored; empty where there are no rows. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("rows ");
    rows.forEach((id, all) -> all.forEach(since -> text.append(named(id.text(), since))));
    text.append(" keys ");
    keys.forEach((name, since) -> text.append(named(name, since)));
    return rows.isEmpty() ? "" : text.toString();
  }

  private String named(String name, long since) {
    return name + ':' + (since == UnreadableRows.NONE ? 0 : pass - since) + ',';
  }
}
