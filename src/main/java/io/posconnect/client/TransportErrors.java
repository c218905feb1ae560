package io.posconnect.client;

import io.posconnect.client.ApiException.Malformed;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.problem.Problem;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.NoRouteToHostException;
import java.net.ProtocolException;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.zip.DataFormatException;
import java.util.zip.ZipException;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;

/** Explains an exchange that broke off. */
record TransportErrors(Connection connection) {

  // A wrong header or checksum of gzip: only the library's message shows it.
  private static final Pattern UNPACKING = Pattern.compile(" != expected ");

  // No other status of a proxy that opens no tunnel, such as 502, lasts until a person acts.
  private static final Pattern BLOCKED =
      Pattern.compile("Unexpected response code for CONNECT: (40[0-7]|41\\d|451)");

  // The message names the host that was looked up, which may be that of the JVM's own proxy.
  private static final Pattern LOOKED_UP = Pattern.compile("([A-Za-z0-9._-]+)(:.*)?");

  private static final Pattern CONNECT = Pattern.compile("connect", Pattern.CASE_INSENSITIVE);

  // More behind the first member of gzip, such as another one, which the library does not unpack.
  private static final Pattern MORE_BEHIND = Pattern.compile("^gzip finished without ");

  /** The failure of an exchange without headers. */
  ApiException beforeHeaders(String request, IOException e) {
    if (e instanceof SocketTimeoutException) {
      return messageMatches(CONNECT, e)
          ? unreachable(request, "no connection within " + connection.timeouts().connect())
          : new Unavailable(
              Problem.TOO_SLOW, request, "no response within " + connection.timeouts().request());
    }
    if (e instanceof UnknownHostException) {
      return new Unavailable(Problem.HOST_UNKNOWN, request, unknownHost(e));
    }
    if (isEndless(e)) {
      return unreachable(request, target() + " sends without end, but no response");
    }
    if (e instanceof SSLException) {
      return new Unavailable(Problem.TLS_FAILED, request, tls(e));
    }
    if (e instanceof ConnectException || e instanceof NoRouteToHostException) {
      return unreachable(request, "cannot connect to " + target());
    }
    OptionalInt refusal = proxyRefusal(e);
    if (refusal.isPresent()) {
      int status = refusal.getAsInt();
      return StatusErrors.proxyRefuses(request + " " + status, status);
    }
    return unreachable(request, "the exchange with " + target() + " broke off before a response");
  }

  /** The failure of a body that did not arrive whole. */
  ApiException inBody(String request, IOException e) {
    if (e instanceof SocketTimeoutException) {
      return new Unavailable(
          Problem.TOO_SLOW,
          request,
          "the body stalled: too little of it came in " + connection.timeouts().stall());
    }
    if (messageMatches(MORE_BEHIND, e)) {
      return new Malformed(
          Problem.BODY_MALFORMED,
          request,
          "the body goes on behind its gzip member; only one member can be read");
    }
    if (e instanceof ProtocolException
        || e instanceof EOFException
        || isUnpacking(e)
        || isEndless(e)) {
      return new Malformed(Problem.BODY_MALFORMED, request, "the body is truncated or garbled");
    }
    return unreachable(request, "the body broke off");
  }

  private static boolean isUnpacking(IOException e) {
    return e instanceof ZipException
        || e.getCause() instanceof DataFormatException
        || messageMatches(UNPACKING, e);
  }

  private static boolean messageMatches(Pattern pattern, IOException e) {
    return pattern.matcher(String.valueOf(e.getMessage())).find();
  }

  // TLS wraps the exception of the socket below it.
  private static boolean isEndless(IOException e) {
    return e instanceof BoundedSockets.ExceededException
        || e.getCause() instanceof BoundedSockets.ExceededException;
  }

  // For a tunnel, and for a 407 where it knows no proxy, the library has only these messages to
  // give.
  private static OptionalInt proxyRefusal(IOException e) {
    String message = String.valueOf(e.getMessage());
    if (message.equals("Failed to authenticate with proxy")
        || message.startsWith("Received HTTP_PROXY_AUTH (407)")) {
      return OptionalInt.of(407);
    }
    Matcher blocked = BLOCKED.matcher(message);
    return blocked.matches()
        ? OptionalInt.of(Integer.parseInt(blocked.group(1)))
        : OptionalInt.empty();
  }

  private String unknownHost(IOException e) {
    if (!connection.proxy().isNone()) {
      return "the proxy's host " + connection.proxy().host() + " is unknown";
    }
    String own = connection.baseUrl().getHost();
    Matcher lookedUp = LOOKED_UP.matcher(String.valueOf(e.getMessage()));
    return lookedUp.matches() && !lookedUp.group(1).equalsIgnoreCase(own)
        ? "the host " + lookedUp.group(1) + " of the JVM's own proxy is unknown"
        : "the host " + own + " is unknown";
  }

  private String tls(IOException e) {
    return e instanceof SSLPeerUnverifiedException
        ? "the certificate of " + target() + " is another host's"
        : "no TLS with " + target() + " (" + e.getMessage() + ")";
  }

  private String target() {
    String host = connection.baseUrl().getHost();
    int port = connection.baseUrl().getPort();
    String service = port < 0 ? host : host + ":" + port;
    return connection.proxy().isNone() ? service : service + " by the proxy " + connection.proxy();
  }

  private static Unavailable unreachable(String request, String detail) {
    return new Unavailable(Problem.UNREACHABLE, request, detail);
  }
}
