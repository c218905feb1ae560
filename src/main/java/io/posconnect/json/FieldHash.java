package io.posconnect.json;

import io.posconnect.json.Row.Kind;
import io.posconnect.resource.Privacy;
import java.nio.charset.StandardCharsets;
import java.util.HexFormat;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import javax.crypto.Mac;

/**
 * Replaces a value by the HMAC-SHA-256 of its text under the salt, in hexadecimal digits, however
 * the value is spelled. For one thread.
 *
 * <p>The text is a string's own, {@code true} or {@code false}, or a number in plain notation
 * without needless zeros, so that a number and a string of its digits have one hash. The text of an
 * object is JSON without blanks and nulls, its fields sorted by name. These hashes are compared
 * with those of other systems, so the texts stay the same for ever.
 */
final class FieldHash {

  private static final HexFormat HEX = HexFormat.of();
  private static final Pattern HALF = Pattern.compile("\\p{Cs}");

  private final Mac mac;

  FieldHash(Privacy privacy) {
    this.mac = privacy.mac();
  }

  /** The hash of a value that is not null. */
  String of(JsonText value) {
    String text = value.kind() == Kind.STRING ? value.value() : json(value);
    // Half a surrogate pair has no UTF-8; as a question mark, a change of it would be lost.
    String whole =
        HALF.matcher(text).replaceAll(half -> "\\\\u" + HEX.toHexDigits(half.group().charAt(0)));
    return HEX.formatHex(mac.doFinal(whole.getBytes(StandardCharsets.UTF_8)));
  }

  private static String json(JsonText value) {
    return switch (value.kind()) {
      case STRING -> JsonText.quoted(value.value());
      case BOOLEAN, NULL -> value.value();
      // A number of too many digits, or with too large an exponent, as it is spelled.
      case NUMBER -> JsonNumber.canonical(value).orElseGet(value::value);
      case OBJECT -> object(value.fields());
      case ARRAY ->
          "[" + String.join(",", value.items().stream().map(FieldHash::json).toList()) + "]";
    };
  }

  private static String object(Row object) {
    return IntStream.range(0, object.size())
        .filter(i -> object.kind(i) != Kind.NULL)
        .mapToObj(i -> Map.entry(object.name(i), json(JsonText.of(object, i))))
        .sorted(Map.Entry.<String, String>comparingByKey().thenComparing(Map.Entry::getValue))
        .map(field -> JsonText.quoted(field.getKey()) + ":" + field.getValue())
        .collect(Collectors.joining(",", "{", "}"));
  }
}
