package io.posconnect.client;

import io.posconnect.json.BodyLimits;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Locale;
import java.util.Objects;
import java.util.regex.Pattern;

/**
 * How a location's service is reached.
 *
 * @param location name of the location, for messages
 * @param baseUrl where paths are relative to; may have a path of its own
 * @param allowHttp whether the key may travel in the clear to another machine
 * @param userAgent of our own: networks in front of such services block the usual ones
 * @param trustStore certificate authorities to trust instead of the platform's
 * @param keyStore certificate and key that this client shows
 */
public record Connection(
    String location,
    URI baseUrl,
    boolean allowHttp,
    String userAgent,
    Timeouts timeouts,
    ProxyServer proxy,
    StoreFile trustStore,
    StoreFile keyStore,
    BodyLimits limits) {

  private static final Pattern PRINTABLE = Pattern.compile("[\\x20-\\x7E]+");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|.+\\.localhost|127(\\.\\d{1,3}){3}|\\[(0*:)*0*1]");

  public Connection {
    Objects.requireNonNull(location, "location is null");
    Objects.requireNonNull(timeouts, "timeouts is null");
    Objects.requireNonNull(proxy, "proxy is null");
    Objects.requireNonNull(trustStore, "trustStore is null");
    Objects.requireNonNull(keyStore, "keyStore is null");
    Objects.requireNonNull(limits, "limits is null");
    checkBaseUrl(baseUrl, allowHttp);
    if (!PRINTABLE.matcher(userAgent).matches()) {
      throw new IllegalArgumentException("the user agent must be printable ASCII");
    }
  }

  /** A connection with nothing but defaults. */
  public Connection(String location, URI baseUrl) {
    this(
        location,
        baseUrl,
        false,
        defaultUserAgent(),
        Timeouts.DEFAULT,
        ProxyServer.NONE,
        StoreFile.NONE,
        StoreFile.NONE,
        BodyLimits.DEFAULT);
  }

  /** The name of this connector and its version. */
  public static String defaultUserAgent() {
    String version = Connection.class.getPackage().getImplementationVersion();
    return "kafka-connect-pos/" + (version == null ? "unreleased" : version);
  }

  /**
   * Reads a base URL.
   *
   * @throws IllegalArgumentException that does not repeat the text, since it may hold a password
   */
  public static URI parseBaseUrl(String url) {
    try {
      return new URI(url.strip());
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException("the base URL has an error at character " + e.getIndex());
    }
  }

  private static void checkBaseUrl(URI url, boolean allowHttp) {
    String scheme = url.getScheme() == null ? "" : url.getScheme().toLowerCase(Locale.ROOT);
    if (url.getHost() == null || !(scheme.equals("https") || scheme.equals("http"))) {
      throw new IllegalArgumentException("the base URL must be like https://host/path");
    }
    if (url.getRawUserInfo() != null) {
      throw new IllegalArgumentException("the base URL must not hold a user or a password");
    }
    if (url.getRawQuery() != null || url.getRawFragment() != null) {
      throw new IllegalArgumentException("the base URL must not hold a query or a fragment");
    }
    if (scheme.equals("http") && !allowHttp && !isLoopback(url)) {
      throw new IllegalArgumentException(
          "the base URL is http, which would send the key in the clear: use https, or allow http");
    }
  }

  private static boolean isLoopback(URI url) {
    return LOOPBACK.matcher(url.getHost().toLowerCase(Locale.ROOT)).matches();
  }
}
