package io.posconnect.client;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.regex.Pattern;
import okio.ByteString;

/**
 * Authenticates a location's requests. Never shown: not by {@link #toString}, not by a message.
 *
 * @param key the API key, the user name of HTTP Basic
 * @param password mostly empty
 */
public record Credentials(String key, String password) {

  private static final Pattern UNSENDABLE = Pattern.compile("[\\x00-\\x1F\\x7F]");

  public Credentials {
    if (key.isBlank()) {
      throw new IllegalArgumentException("the API key is empty");
    }
    if (!key.equals(key.strip())) {
      throw new IllegalArgumentException("the API key begins or ends with white space");
    }
    if (key.indexOf(':') >= 0) {
      throw new IllegalArgumentException("the API key holds a colon, which HTTP Basic cannot send");
    }
    if (UNSENDABLE.matcher(key).find() || UNSENDABLE.matcher(password).find()) {
      throw new IllegalArgumentException("the API key or its password holds a control character");
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
    for (String secret : List.of(token, unpadded, key, password)) {
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
