package io.posconnect.client;

import io.posconnect.Version;
import io.posconnect.json.BodyLimits;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.ServiceAddress;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import okhttp3.HttpUrl;

/**
 * The way to a location's service.
 *
 * @param location name of the location, for messages
 * @param baseUrl paths are relative to it; may have a path of its own
 * @param userAgent of our own: networks in front of such services block the usual ones
 * @param ssl trust and key stores: parsed values by Kafka's names
 * @param privacy the private fields of each resource's rows, by its name
 */
public record Connection(
    String location,
    URI baseUrl,
    String userAgent,
    Timeouts timeouts,
    ProxyServer proxy,
    Map<String, Object> ssl,
    BodyLimits limits,
    Map<String, Privacy> privacy) {

  public static final String USER_AGENT = "kafka-connect-pos/" + Version.TEXT;

  static final Pattern PRINTABLE = Pattern.compile("[\\x21-\\x7E]([\\x20-\\x7E]*[\\x21-\\x7E])?");

  private static final int LONGEST_USER_AGENT = 200;

  public Connection {
    ssl = Map.copyOf(ssl);
    privacy = Map.copyOf(privacy);
  }

  /**
   * Refuses text that a header cannot carry.
   *
   * @throws IllegalArgumentException that states what a user agent may contain
   */
  public static void checkUserAgent(String text) {
    if (text.length() > LONGEST_USER_AGENT || !PRINTABLE.matcher(text).matches()) {
      throw new IllegalArgumentException(
          "must be printable ASCII, at most " + LONGEST_USER_AGENT + " characters");
    }
  }

  /**
   * Refuses an address whose host no request can have, such as a name that is wrongly encoded.
   *
   * @throws IllegalArgumentException that names the host
   */
  public static void checkAddress(URI url) {
    if (HttpUrl.parse(url.toString()) == null) {
      throw new IllegalArgumentException(
          "must have a name or an IP address as its host, which " + url.getHost() + " is not");
    }
  }

  /**
   * Returns the privacy rules of a resource's rows.
   *
   * @throws IllegalArgumentException when the location has no such resource: to treat its rows as
   *     public would publish private fields
   */
  Privacy privacyOf(String resource) {
    Privacy known = privacy.get(resource);
    if (known == null) {
      throw new IllegalArgumentException(
          "the privacy rules of " + location + "/" + resource + " are unknown");
    }
    return known;
  }

  boolean isSecure() {
    return baseUrl.getScheme().equalsIgnoreCase("https");
  }

  /** What a transport depends on: connections that differ only in the rest share one. */
  Object ofTransport() {
    return List.of(isSecure(), timeouts, proxy, ssl, limits);
  }

  /**
   * The longest waits for the service.
   *
   * @param connect for a connection
   * @param request from sending a request to the headers of its response, redirects included
   * @param stall for each KB of a list, and for the whole of a single object
   */
  public record Timeouts(Duration connect, Duration request, Duration stall) {

    public static final Timeouts DEFAULT =
        new Timeouts(Duration.ofSeconds(15), Duration.ofSeconds(180), Duration.ofSeconds(30));
  }

  /**
   * An HTTP proxy in front of the service. One that demands a user is not supported, since everyone
   * who may read a configuration can read an address.
   *
   * @param host empty for none: then the JVM's own proxy properties hold
   */
  public record ProxyServer(String host, int port) {

    public static final ProxyServer NONE = new ProxyServer("", 0);

    /**
     * Parses {@code http://host:port}; the port is 80 when there is none.
     *
     * @throws IllegalArgumentException that does not repeat the text, since it may hold a password
     */
    public static ProxyServer of(String text) {
      if (!ServiceAddress.isUrl(text) || !isHttpWithoutPath(URI.create(text))) {
        throw new IllegalArgumentException(
            "must be the http address of a proxy without user and path, such as"
                + " http://proxy.example.com:3128");
      }
      URI url = URI.create(text);
      return new ProxyServer(url.getHost(), url.getPort() < 0 ? 80 : url.getPort());
    }

    private static boolean isHttpWithoutPath(URI url) {
      return url.getScheme().equalsIgnoreCase("http") && url.getRawPath().length() <= 1;
    }

    boolean isNone() {
      return host.isEmpty();
    }

    @Override
    public String toString() {
      return isNone() ? "none" : host + ":" + port;
    }
  }
}
