package io.posconnect.client;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.Objects;

/**
 * An HTTP proxy in front of the service.
 *
 * @param host empty for none: then the JVM's own proxy properties hold
 */
public record ProxyServer(String host, int port) {

  public static final ProxyServer NONE = new ProxyServer("", 0);

  public ProxyServer {
    Objects.requireNonNull(host, "host is null");
  }

  /**
   * Reads {@code http://host:port}; the port is 80 when there is none. A proxy that wants a user is
   * not supported: an address is shown to whoever may read a configuration.
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
    if (!"http".equalsIgnoreCase(uri.getScheme())
        || uri.getHost() == null
        || uri.getUserInfo() != null) {
      throw new IllegalArgumentException("the proxy's URL must be like http://host:port");
    }
    return new ProxyServer(uri.getHost(), uri.getPort() < 0 ? 80 : uri.getPort());
  }

  boolean isNone() {
    return host.isEmpty();
  }

  @Override
  public String toString() {
    return isNone() ? "none" : host + ":" + port;
  }
}
