package io.posconnect.client;

import io.posconnect.problem.Text;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import okio.ByteString;

/**
 * Authenticates a location's requests. Never shown: not by {@link #toString}, not by a message.
 *
 * @param key the API key, the user name of HTTP Basic
 * @param password mostly empty
 * @param headers more headers of every request, by name
 */
public record Credentials(String key, String password, Map<String, String> headers) {

  private static final Pattern UNSENDABLE = Pattern.compile("[\\x00-\\x1F\\x7F]");

  /** What a copied text or a file brings along, such as a byte order mark. */
  private static final Pattern UNSEEN =
      Pattern.compile("^[\\s\\p{Z}\\p{Cf}]|[\\s\\p{Z}\\p{Cf}]\\z");

  /** In the place of a key that cannot be used: no request carries it, and no key is equal. */
  public static final Credentials NONE =
      new Credentials(UUID.randomUUID().toString(), "", Map.of());

  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,100}");

  /** The connector or HTTP itself sets these, or they would make another request of it. */
  private static final Pattern RESERVED =
      Pattern.compile(
          "accept.*|authorization|cache-control|connection|content-.*|cookie|date|expect|host|if-.*"
              + "|keep-alive|pragma|proxy-.*|range|te|trailer|transfer-encoding|upgrade|user-agent"
              + "|via",
          Pattern.CASE_INSENSITIVE);

  private static final int LONGEST_HEADER = 8_000;

  public Credentials {
    headers = Map.copyOf(headers);
    if (key.isBlank()) {
      throw new IllegalArgumentException("the API key is empty");
    }
    Text.checkResolved("the API key ", key);
    Text.checkResolved("the password ", password);
    headers.forEach((name, value) -> Text.checkResolved("the header " + name + " ", value));
    if (UNSEEN.matcher(key).find()) {
      throw new IllegalArgumentException(
          "the API key begins or ends with white space or an invisible character");
    }
    if (key.indexOf(':') >= 0) {
      throw new IllegalArgumentException("the API key holds a colon, which HTTP Basic cannot send");
    }
    if (UNSENDABLE.matcher(key).find() || UNSENDABLE.matcher(password).find()) {
      throw new IllegalArgumentException("the API key or its password holds a control character");
    }
  }

  public Credentials(String key, String password) {
    this(key, password, Map.of());
  }

  /**
   * Refuses a header that a request cannot carry, or that is not for a configuration to set.
   *
   * @throws IllegalArgumentException that does not repeat the value
   */
  public static void checkHeader(String name, String value) {
    if (!NAME.matcher(name).matches() || RESERVED.matcher(name).matches()) {
      throw new IllegalArgumentException(
          "must be named after a header of letters, digits, - and _ that neither HTTP nor the"
              + " connector sets itself");
    }
    if (value.length() > LONGEST_HEADER || !Connection.PRINTABLE.matcher(value).matches()) {
      throw new IllegalArgumentException(
          "must be printable ASCII without white space around it, at most %s characters"
              .formatted(LONGEST_HEADER));
    }
  }

  String basic() {
    return okhttp3.Credentials.basic(key, password, StandardCharsets.UTF_8);
  }

  /** A hash that identifies the key: limits count by key, not by password. */
  String fingerprint() {
    return ByteString.encodeUtf8(key).sha256().hex();
  }

  /** Removes these credentials from a text that the service sent. */
  String hide(String text) {
    String token = basic().substring("Basic ".length());
    String unpadded = token.replace("=", "");
    String hidden = text;
    List<String> secrets = new ArrayList<>(List.of(token, unpadded, key, password));
    secrets.addAll(headers.values());
    secrets.sort(Comparator.comparingInt(String::length).reversed());
    for (String secret : secrets) {
      if (!secret.isEmpty()) {
        hidden =
            Pattern.compile(Pattern.quote(secret), Pattern.CASE_INSENSITIVE)
                .matcher(hidden)
                .replaceAll("***");
      }
    }
    return hidden;
  }

  @Override
  public String toString() {
    return "Credentials[hidden]";
  }
}
