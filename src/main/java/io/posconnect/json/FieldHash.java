package io.posconnect.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.posconnect.json.Row.Kind;
import io.posconnect.resource.Privacy;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import javax.crypto.Mac;

/**
 * Replaces a value by the HMAC-SHA-256 of its text under the salt, in hexadecimal digits, however
 * the value is spelled. For one thread.
 *
 * <p>The text is a string's own, {@code true} or {@code false}, or a number in plain notation
 * without needless zeros, so that a number and a string of its digits have one hash. The text of an
 * object is JSON without blanks and nulls, its fields sorted. These hashes are compared with those
 * of other systems, so the texts stay the same for ever.
 */
final class FieldHash {

  private final Mac mac;

  FieldHash(Privacy privacy) {
    this.mac = privacy.mac();
  }

  /** The hash of a value that is not null. */
  String of(JsonText value) {
    return HexFormat.of().formatHex(mac.doFinal(text(value).getBytes(StandardCharsets.UTF_8)));
  }

  private static String text(JsonText value) {
    return switch (value.kind()) {
      case STRING, BOOLEAN, NULL -> value.value();
      // A number of too many digits, or with too large an exponent, as it is spelled.
      case NUMBER -> JsonNumber.canonical(value).orElseGet(value::value);
      case ARRAY, OBJECT -> json(value);
    };
  }

  private static String json(JsonText value) {
    return switch (value.kind()) {
      case STRING -> quoted(value.value());
      case OBJECT -> "{" + String.join(",", fields(value)) + "}";
      case ARRAY ->
          "[" + String.join(",", value.items().stream().map(FieldHash::json).toList()) + "]";
      case NUMBER, BOOLEAN, NULL -> text(value);
    };
  }

  private static List<String> fields(JsonText object) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < object.items().size(); i++) {
      JsonText value = object.items().get(i);
      if (value.kind() != Kind.NULL) {
        fields.add(quoted(object.names().get(i)) + ":" + json(value));
      }
    }
    Collections.sort(fields);
    return fields;
  }

  private static String quoted(String text) {
    return '"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(text)) + '"';
  }
}
