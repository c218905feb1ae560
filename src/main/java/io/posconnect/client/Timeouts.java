package io.posconnect.client;

import java.time.Duration;

/**
 * How long to wait for the service.
 *
 * @param connect for a connection
 * @param request from sending a request to the headers of its response
 * @param stall between two pieces of a body
 */
public record Timeouts(Duration connect, Duration request, Duration stall) {

  public static final Timeouts DEFAULT =
      new Timeouts(Duration.ofSeconds(15), Duration.ofSeconds(180), Duration.ofSeconds(30));

  public Timeouts {
    check("connect", connect);
    check("request", request);
    check("stall", stall);
  }

  private static void check(String name, Duration timeout) {
    if (timeout.toMillis() < 1 || timeout.toMillis() > Integer.MAX_VALUE) {
      throw new IllegalArgumentException(name + " timeout is " + timeout);
    }
  }
}
