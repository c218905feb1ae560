package io.posconnect.simulator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.InterruptedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.OptionalLong;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** Holds what is to be sent, and how: values only, so that a fault can exchange any part of it. */
record Response(int status, Map<String, String> headers, Body body, Delivery delivery) {

  static final String JSON = "application/json; charset=utf-8";

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final AtomicLong TRACES = new AtomicLong();

  Response {
    headers = anyCase(headers);
  }

  private static Map<String, String> anyCase(Map<String, String> headers) {
    Map<String, String> copy = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    copy.putAll(headers);
    return copy;
  }

  static Response of(int status, String contentType, String text) {
    return empty(status).with(Body.of(text.getBytes(UTF_8))).with("Content-Type", contentType);
  }

  static Response empty(int status) {
    return new Response(status, Map.of(), Body.of(new byte[0]), Delivery.PLAIN);
  }

  static Response rows(Body body) {
    return empty(200).with(body).with("Content-Type", JSON);
  }

  /** The published error body: a message for people and a trace id for support. */
  static Response error(int status, String message) {
    ObjectNode body = MAPPER.createObjectNode();
    body.put("Message", message);
    body.put("TraceId", trace());
    return of(status, "application/json", body.toString());
  }

  /** A 400 as ASP.NET writes it when a parameter cannot be read. */
  static Response invalid(String parameter, String reason) {
    ObjectNode body = MAPPER.createObjectNode();
    body.put("title", "One or more validation errors occurred.");
    body.put("status", 400);
    body.putObject("errors").putArray(parameter).add(reason);
    body.put("traceId", trace());
    return of(400, "application/problem+json; charset=utf-8", body.toString());
  }

  static Response malformed() {
    return of(400, "text/html", "<html><body><h1>Bad Request</h1></body></html>");
  }

  private static String trace() {
    return String.format("0HN%010X", TRACES.incrementAndGet());
  }

  Response with(String header, String value) {
    Map<String, String> more = anyCase(headers);
    more.put(header, value);
    return new Response(status, more, body, delivery);
  }

  Response without(String header) {
    Map<String, String> fewer = anyCase(headers);
    fewer.remove(header);
    return new Response(status, fewer, body, delivery);
  }

  Response with(Body other) {
    return new Response(status, headers, other, delivery);
  }

  Response with(Delivery other) {
    return new Response(status, headers, body, other);
  }

  /** Ends the handling of a request with a response that is not data. */
  static final class RefusedException extends Exception {

    private final transient Response response;

    RefusedException(Response response) {
      super("answered with " + response.status(), null, false, false);
      this.response = response;
    }

    Response response() {
      return response;
    }
  }

  /** Ends of a response before its last byte. */
  enum Stop {
    NONE,
    /** Nothing more comes until the fault is closed; then the rest. */
    SILENCE,
    /** The connection is closed in good order. */
    CUT,
    /** The connection is reset. */
    RESET
  }

  /**
   * The way in which a response is sent.
   *
   * @param release ends all delays
   * @param beforeHeaders wait before the first byte
   * @param bytesPerSecond of the body; 0: as fast as it goes
   * @param stop what happens part way through
   * @param stopAt bytes of the body before that; empty: half of it
   */
  record Delivery(
      Release release,
      Duration beforeHeaders,
      long bytesPerSecond,
      Stop stop,
      OptionalLong stopAt) {

    static final Delivery PLAIN =
        new Delivery(new Release(), Duration.ZERO, 0, Stop.NONE, OptionalLong.empty());

    Delivery delayed(Release until, Duration delay) {
      return new Delivery(until, delay, bytesPerSecond, stop, stopAt);
    }

    Delivery paced(Release until, long rate) {
      return new Delivery(until, beforeHeaders, rate, stop, stopAt);
    }

    Delivery stopped(Release until, Stop how, OptionalLong at) {
      return new Delivery(until, beforeHeaders, bytesPerSecond, how, at);
    }
  }

  /** Holds responses back until it is given, once and for good. */
  static final class Release {

    private final CountDownLatch latch = new CountDownLatch(1);

    void give() {
      latch.countDown();
    }

    boolean isGiven() {
      return latch.getCount() == 0;
    }

    void await() throws InterruptedIOException {
      await(Duration.ofDays(1));
    }

    /** Waits for it, but at most this long; whether it came. */
    boolean await(Duration atMost) throws InterruptedIOException {
      try {
        return latch.await(atMost.toNanos(), TimeUnit.NANOSECONDS);
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw (InterruptedIOException)
            new InterruptedIOException("interrupted while holding a response").initCause(e);
      }
    }
  }
}
