package io.posconnect.json;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.posconnect.resource.PageEnd;
import java.io.IOException;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Reads the key-based paging envelope around the rows; its fields come in any order and case,
 * others are skipped. An envelope that does not say whether it is the last is no envelope: taking
 * it for the last would make rows look deleted.
 */
final class PageEnvelope {

  private static final int LONGEST_KEY = 4096;

  private final Set<String> seen = new TreeSet<>();
  private @Nullable Boolean haveMoreData;
  private String nextPageKey = "";

  /**
   * Reads fields until the rows begin.
   *
   * @return whether the rows begin; otherwise the envelope has ended, and is complete
   */
  boolean toItems(JsonParser parser) throws IOException {
    while (parser.nextToken() != JsonToken.END_OBJECT) {
      String name = parser.currentName().toLowerCase(Locale.ROOT);
      JsonToken value = parser.nextToken();
      if (read(name, value, parser)) {
        return true;
      }
    }
    check();
    return false;
  }

  private boolean read(String name, JsonToken value, JsonParser parser) throws IOException {
    switch (name) {
      case "items" -> {
        once(name);
        require(value == JsonToken.START_ARRAY, "has items that are not an array");
        return true;
      }
      case "havemoredata" -> {
        once(name);
        require(value.isBoolean(), "has a haveMoreData that is neither true nor false");
        haveMoreData = value == JsonToken.VALUE_TRUE;
      }
      case "nextpagekey" -> {
        once(name);
        require(
            value == JsonToken.VALUE_STRING || value == JsonToken.VALUE_NULL,
            "has a nextPageKey that is not a string");
        nextPageKey = value == JsonToken.VALUE_NULL ? "" : parser.getText();
        require(nextPageKey.length() <= LONGEST_KEY, "has a nextPageKey too long for a request");
      }
      default -> RowReader.skip(parser);
    }
    return false;
  }

  private void once(String name) throws BodyException {
    require(seen.add(name), "is an envelope that has a field twice: " + name);
  }

  private void check() throws BodyException {
    require(seen.contains("items"), "is an envelope without items");
    require(haveMoreData != null, "is an envelope without haveMoreData");
    require(!more() || !nextPageKey.isEmpty(), "says haveMoreData, but has no nextPageKey");
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
