package io.posconnect.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;

/**
 * An HTTP proxy in front of the service.
 *
 * @param host empty for none: then the JVM's own proxy properties hold
 * @param user empty when the proxy wants no credentials
 */
public record ProxyServer(String host, int port, String user, String password) {

  public static final ProxyServer NONE = new ProxyServer("", 0, "", "");

  public ProxyServer {
    Objects.requireNonNull(host, "host is null");
    Objects.requireNonNull(user, "user is null");
    Objects.requireNonNull(password, "password is null");
  }

  /**
   * Reads {@code http://user:password@host:port}; the port is 80 when there is none, the user info
   * is optional and percent-encoded.
   *
   * @throws IllegalArgumentException that does not repeat the text, since it may hold a password
   */
  public static ProxyServer parse(String url) {
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(
          "the proxy's URL has an error at character " + e.getIndex());
    }
    if (!"http".equalsIgnoreCase(uri.getScheme()) || uri.getHost() == null) {
      throw new IllegalArgumentException("the proxy's URL must be like http://host:port");
    }
    String userInfo = uri.getUserInfo() == null ? "" : uri.getUserInfo();
    int colon = userInfo.indexOf(':');
    String user = colon < 0 ? userInfo : userInfo.substring(0, colon);
    String password = colon < 0 ? "" : userInfo.substring(colon + 1);
    return new ProxyServer(uri.getHost(), uri.getPort() < 0 ? 80 : uri.getPort(), user, password);
  }

  boolean isNone() {
    return host.isEmpty();
  }

  @Override
  public String toString() {
    return isNone() ? "none" : host + ":" + port;
  }
}
