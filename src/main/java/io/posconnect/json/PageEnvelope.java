package io.posconnect.json;

import io.posconnect.json.Row.Kind;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Shape.Envelope;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;

/**
 * Reads the envelope around the rows of a page; its fields come in any order and case, others are
 * skipped. An envelope that does not tell whether a page follows is refused: taking it for the last
 * one would make rows look deleted.
 */
final class PageEnvelope {

  private static final int LONGEST_KEY = 4096;

  private final Envelope shape;
  private final Set<String> seen = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
  private boolean begun;
  private boolean haveMoreData;
  private String nextPageKey = "";

  PageEnvelope(Envelope shape) {
    this.shape = shape;
  }

  @FunctionalInterface
  interface Values {
    Row next() throws IOException;
  }

  /**
   * Reads fields until the rows begin.
   *
   * @return whether the rows begin; otherwise the envelope has ended, and is complete
   */
  boolean toRows(ValueCutter cutter, Values values) throws IOException {
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
      if (read(text(name), cutter, values)) {
        return true;
      }
    }
    cutter.take('}');
    check();
    return false;
  }

  private boolean read(String name, ValueCutter cutter, Values values) throws IOException {
    if (name.equalsIgnoreCase(shape.rows())) {
      once(shape.rows());
      require(cutter.peek() == '[', "has " + shape.rows() + " that are not an array");
      cutter.take('[');
      return true;
    }
    Row value = values.next();
    if (!name.isEmpty() && name.equalsIgnoreCase(shape.more())) {
      once(shape.more());
      require(
          value.kind() == Kind.BOOLEAN,
          "has a " + shape.more() + " that is neither true nor false");
      haveMoreData = value.json().equals("true");
    } else if (name.equalsIgnoreCase(shape.nextKey())) {
      once(shape.nextKey());
      String tooLong = "has a " + shape.nextKey() + " too long for a request";
      require(value.fault().isEmpty(), tooLong);
      require(
          value.kind() == Kind.STRING || value.kind() == Kind.NULL,
          "has a " + shape.nextKey() + " that is not a string");
      nextPageKey = value.kind() == Kind.NULL ? "" : text(value);
      // A request would carry another key, which the service may take for one of its own.
      require(
          value.replaced() == 0 && StandardCharsets.UTF_8.newEncoder().canEncode(nextPageKey),
          "has a " + shape.nextKey() + " that is not text");
      require(nextPageKey.length() <= LONGEST_KEY, tooLong);
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
    String end = shape.more().isEmpty() ? shape.nextKey() : shape.more();
    require(seen.contains(shape.rows()), "is an envelope without " + shape.rows());
    require(seen.contains(end), "is an envelope without " + end);
    require(!more() || !nextPageKey.isEmpty(), "has " + end + ", but no " + shape.nextKey());
  }

  private boolean more() {
    return shape.more().isEmpty() ? !nextPageKey.isEmpty() : haveMoreData;
  }

  private static void require(boolean condition, String otherwise) throws BodyException {
    if (!condition) {
      throw BodyException.of(otherwise);
    }
  }

  PageEnd end(long rows) {
    return new PageEnd(rows, more() ? nextPageKey : "");
  }
}
