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
 * The rows whose key cannot be read, and the keys that they may have, as a position stores them for
 * the next process. Every later build reads this form. A name is a short hash: if two keys or rows
 * share one, more keys are held, never fewer.
 *
 * @param pass the pass under way
 * @param rows since which passes the rows of one text are there; of a text without a name one row
 *     is, since {@link #OLDEST}
 * @param keys the first pass that lacked a key; {@link #OLDEST} for one that appeared lately
 */
record Suspects(long pass, Map<String, List<Long>> rows, Map<String, List<Long>> keys) {

  /** Before each pass. */
  static final long OLDEST = 0;

  /** So many names are stored; where there are more, all rows are new after a start. */
  static final int MOST = 256;

  private static final Pattern FORM =
      Pattern.compile("pass (\\d{1,18}) rows ((?:\\w+:\\d{1,18},)*) keys ((?:\\w+:\\d{1,18},)*)");

  private static final Pattern NAMED = Pattern.compile("(\\w+):(\\d+),");

  /** Those of that pass; none yet. */
  Suspects(long pass) {
    this(pass, new TreeMap<>(), new TreeMap<>());
  }

  /** Reads a text of {@link #toString}; empty if it is empty, or has another form. */
  static Optional<Suspects> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    return matcher.matches()
        ? Optional.of(
            new Suspects(
                Long.parseLong(matcher.group(1)), named(matcher.group(2)), named(matcher.group(3))))
        : Optional.empty();
  }

  private static Map<String, List<Long>> named(String text) {
    Map<String, List<Long>> named = new TreeMap<>();
    NAMED
        .matcher(text)
        .results()
        .forEach(each -> add(named, each.group(1), Long.parseLong(each.group(2))));
    return named;
  }

  private static void add(Map<String, List<Long>> to, String name, long since) {
    to.computeIfAbsent(name, each -> new ArrayList<>()).add(since);
  }

  void addRow(Key deadLetter, long since) {
    add(rows, name(deadLetter), since);
  }

  void addKey(Key key, long since) {
    add(keys, name(key), since);
  }

  /** Since when the rows of that text are there, in that order. */
  List<Long> sinceOfRows(Key deadLetter) {
    return rows.getOrDefault(name(deadLetter), List.of(OLDEST)).stream().sorted().toList();
  }

  /** The first pass that lacked the key; empty where it is none of the rows. */
  Optional<Long> sinceOfKey(Key key) {
    return keys.getOrDefault(name(key), List.of()).stream().min(Long::compare);
  }

  private static String name(Key key) {
    return Integer.toHexString(key.toString().hashCode());
  }

  /** As it is stored; empty where that would be too long. */
  @Override
  public String toString() {
    String text = "pass " + pass + " rows " + text(rows) + " keys " + text(keys);
    return text.chars().filter(c -> c == ':').count() <= MOST ? text : "";
  }

  private static String text(Map<String, List<Long>> named) {
    StringBuilder text = new StringBuilder();
    named.forEach((name, all) -> all.forEach(since -> text.append(name + ':' + since + ',')));
    return text.toString();
  }
}
