package io.posconnect.hostile;

import java.util.Map;
import java.util.TreeMap;

/**
 * A request that a service received.
 *
 * @param head the request line and the headers, as they came; empty for a connection with TLS whose
 *     handshake has not begun
 * @param body each byte is a character
 * @param connection the number of the connection that it came by
 * @param tls protocol and cipher suite; empty without TLS
 */
public record Call(String head, String body, int connection, String tls) {

  public String method() {
    return head.split(" ", 2)[0];
  }

  /** What stands between method and version: path and query, or what a proxy is asked for. */
  public String target() {
    return head.isEmpty() ? "" : head.split(" ", 3)[1];
  }

  public String path() {
    return target().split("\\?", 2)[0];
  }

  /** The headers; case does not count. */
  public Map<String, String> headers() {
    Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    head.lines()
        .skip(1)
        .map(line -> line.split(":", 2))
        .filter(pair -> pair.length == 2)
        .forEach(pair -> headers.put(pair[0], pair[1].strip()));
    return headers;
  }

  /** A header's value; empty when there is none. */
  public String header(String name) {
    return headers().getOrDefault(name, "");
  }
}
