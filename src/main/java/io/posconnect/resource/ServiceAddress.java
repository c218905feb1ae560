package io.posconnect.resource;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/**
 * Decides which addresses and paths a request may have, and whether it would travel unencrypted.
 */
public final class ServiceAddress {

  private static final int LONGEST = 2_000;
  private static final int LAST_PORT = 65_535;

  private static final Pattern SEGMENT =
      Pattern.compile("(?:[A-Za-z0-9._~!$&'()*+,;=:@-]++|%[0-9A-Fa-f]{2})++");
  private static final Pattern CLIMBING = Pattern.compile("(?:\\.|%2[Ee]){1,2}");
  private static final Pattern USUAL_PORT =
      Pattern.compile("(?i)^(?:(http://[^/]+):(?:0*80)?|(https://[^/]+):(?:0*443)?)(?=/|$)");
  private static final Pattern LOOPBACK =
      Pattern.compile("localhost|127(\\.\\d{1,3}){3}|\\[(0*:)*0*1]");

  private ServiceAddress() {}

  /**
   * Parses the address of a service and removes what changes nothing: slashes at its end, and the
   * port that its scheme has anyway.
   *
   * @throws IllegalArgumentException that does not repeat the text, since it may hold a password
   */
  public static URI of(String text) {
    if (!isUrl(text)) {
      throw new IllegalArgumentException(
          "must be an absolute http or https address without user, query and fragment, and its host"
              + " an IP address or a name of ASCII letters, digits, hyphens and dots, such as"
              + " https://api.example.com/v1");
    }
    return URI.create(USUAL_PORT.matcher(text).replaceFirst("$1$2").replaceFirst("/+$", ""));
  }

  /** Returns whether the text is an address with a host, without user, query and fragment. */
  public static boolean isUrl(String text) {
    if (text.length() > LONGEST) {
      return false;
    }
    try {
      URI uri = new URI(text);
      return ("https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme()))
          && uri.getHost() != null
          && (uri.getPort() == -1 || (uri.getPort() > 0 && uri.getPort() <= LAST_PORT))
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  /** Returns whether the text is a path that can be sent: no segment is empty or climbs. */
  public static boolean isPath(String text) {
    if (text.length() > LONGEST || !text.startsWith("/")) {
      return false;
    }
    List<String> segments = List.of(text.substring(1).split("/"));
    return !text.endsWith("//") && segments.stream().allMatch(ServiceAddress::isSegment);
  }

  private static boolean isSegment(String text) {
    return SEGMENT.matcher(text).matches() && !CLIMBING.matcher(text).matches();
  }

  /**
   * Returns whether a request to that address leaves this machine unencrypted.
   *
   * @param proxied whether a proxy is in between
   */
  public static boolean isCleartext(URI url, Predicate<URI> proxied) {
    return "http".equalsIgnoreCase(url.getScheme())
        && (!LOOPBACK.matcher(url.getHost().toLowerCase(Locale.ROOT)).matches()
            || proxied.test(url));
  }
}
