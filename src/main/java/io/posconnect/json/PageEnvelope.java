package io.posconnect.json;

import io.posconnect.json.Row.Kind;
import io.posconnect.resource.PageEnd;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the key-based paging envelope around the rows; its fields come in any order and case,
 * others are skipped. An envelope without {@code haveMoreData} is refused: taking it for the last
 * one would make rows look deleted.
 */
final class PageEnvelope {

  private static final int LONGEST_KEY = 4096;

  private final Set<String> seen = new TreeSet<>();
  private boolean begun;
  private @Nullable Boolean haveMoreData;
  private String nextPageKey = "";

  @FunctionalInterface
  interface Values {
    Row next() throws IOException;
  }

  /**
   * Reads fields until the rows begin.
   *
   * @return whether the rows begin; otherwise the envelope has ended, and is complete
   */
  boolean toItems(ValueCutter cutter, Values values) throws IOException {
    while (cutter.peek() != '}') {
      if (begun) {
        cutter.take(',');
      }
      begun = true;
      if (cutter.peek() != '"') {
        throw BodyException.notJson(cutter.offset());
      }
      Row name = values.next();
      cutter.take(':');
      if (read(text(name).toLowerCase(Locale.ROOT), cutter, values)) {
        return true;
      }
    }
    cutter.take('}');
    check();
    return false;
  }

  private boolean read(String name, ValueCutter cutter, Values values) throws IOException {
    if (name.equals("items")) {
      once(name);
      require(cutter.peek() == '[', "has items that are not an array");
      cutter.take('[');
      return true;
    }
    Row value = values.next();
    if (name.equals("havemoredata")) {
      once(name);
      require(value.kind() == Kind.BOOLEAN, "has a haveMoreData that is neither true nor false");
      haveMoreData = value.json().equals("true");
    } else if (name.equals("nextpagekey")) {
      once(name);
      require(value.fault().isEmpty(), "has a nextPageKey too long for a request");
      require(
          value.kind() == Kind.STRING || value.kind() == Kind.NULL,
          "has a nextPageKey that is not a string");
      nextPageKey = value.kind() == Kind.NULL ? "" : text(value);
      require(nextPageKey.length() <= LONGEST_KEY, "has a nextPageKey too long for a request");
    }
    return false;
  }

  private static String text(Row string) {
    return JsonText.of(string).value();
  }

  private void once(String name) throws BodyException {
    require(seen.add(name), "is an envelope that has a field twice: " + name);
  }

  private void check() throws BodyException {
    require(seen.contains("items"), "is an envelope without items");
    require(haveMoreData != null, "is an envelope without haveMoreData");
    require(!more() || !nextPageKey.isEmpty(), "has haveMoreData, but no nextPageKey");
  }

  private boolean more() {
    return Boolean.TRUE.equals(haveMoreData);
  }

  private static void require(boolean condition, String otherwise) throws BodyException {
    if (!condition) {
      throw BodyException.of(otherwise);
    }
  }

  PageEnd end(long rows) {
    return new PageEnd(rows, more(), nextPageKey);
  }
}
