package io.posconnect.simulator;

import io.posconnect.simulator.DataReader.Reading;
import io.posconnect.simulator.Response.Delivery;
import io.posconnect.simulator.Response.Release;
import io.posconnect.simulator.Response.Stop;
import java.net.URI;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.function.BiFunction;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * Makes a response go wrong in one way. A fault is made for one use; several on one request act in
 * the order in which they were scripted.
 */
public final class Fault {

  private final UnaryOperator<Reading> data;
  private final UnaryOperator<Response> reply;
  private final Release release;

  private Fault(UnaryOperator<Reading> data, UnaryOperator<Response> reply, Release release) {
    this.data = data;
    this.reply = reply;
    this.release = release;
  }

  private static Fault reply(UnaryOperator<Response> reply) {
    return new Fault(reading -> reading, reply, new Release());
  }

  private static Fault data(UnaryOperator<Reading> data) {
    return new Fault(data, response -> response, new Release());
  }

  private static Fault instead(Supplier<Response> other) {
    return reply(
        normal -> {
          Response answer = other.get();
          String date = normal.headers().get("Date");
          return date == null ? answer : answer.with("Date", date);
        });
  }

  private static Fault delivery(BiFunction<Delivery, Release, Delivery> change) {
    Release release = new Release();
    return new Fault(
        reading -> reading,
        normal -> normal.with(change.apply(normal.delivery(), release)),
        release);
  }

  private static Fault stopping(Stop how, OptionalLong at) {
    return delivery((normal, release) -> normal.stopped(release, how, at));
  }

  /** Another fault at each request, of those that change only the response and hold nothing. */
  static Fault oneOf(Supplier<Fault> choice) {
    return reply(normal -> choice.get().response(normal));
  }

  public Fault and(Fault then) {
    return new Fault(
        reading -> then.reading(reading(reading)),
        normal -> then.response(response(normal)),
        release);
  }

  Reading reading(Reading normal) {
    return data.apply(normal);
  }

  Response response(Response normal) {
    return reply.apply(normal);
  }

  /** Lets everything that this fault holds back go on. */
  void release() {
    release.give();
  }

  // What is answered.

  /** Another answer altogether; its Date stays right. */
  public static Fault answer(int status, String contentType, String body) {
    return instead(() -> Response.of(status, contentType, body));
  }

  /** A status with an empty body. */
  public static Fault status(int status) {
    return instead(() -> Response.empty(status));
  }

  /** A status with the published error body. */
  public static Fault error(int status, String message) {
    return instead(() -> Response.error(status, message));
  }

  /** 429 as the service sends it, without a hint when to come back. */
  public static Fault throttled() {
    return error(429, "Only 0 requests per minute are permitted to this endpoint.");
  }

  /** 200 with a page for people, as a proxy or a log-in would send it. */
  public static Fault html() {
    return answer(200, "text/html", "<!DOCTYPE html><html><body>Sign in</body></html>");
  }

  public static Fault redirect(URI location) {
    return status(302).and(header("Location", location.toString()));
  }

  /** 200 with this JSON. */
  public static Fault json(String body) {
    return answer(200, Response.JSON, body);
  }

  /** The right data under a wrong name for them; history counts them as shown in part. */
  public static Fault contentType(String contentType) {
    return header("Content-Type", contentType)
        .and(reply(normal -> normal.with(Body.unreadable(normal.body()))));
  }

  public static Fault header(String name, String value) {
    return reply(normal -> normal.with(name, value));
  }

  // What the clock shows.

  /** No {@code Date} at all. */
  public static Fault noDate() {
    return reply(normal -> normal.without("Date"));
  }

  // What the data are.

  /** The data as they were some time ago, at most 15 minutes. */
  public static Fault stale(Duration age) {
    if (age.compareTo(Table.MEMORY) > 0) {
      throw new IllegalArgumentException("older than is remembered: " + age);
    }
    return data(reading -> reading.behind(age));
  }

  /** {@code /whoami} names another location. */
  public static Fault identityOf(SimulatedLocation other) {
    return data(reading -> reading.as(other));
  }

  /** The second half of the rows is missing from an otherwise right list. */
  public static Fault firstHalf() {
    return data(Reading::withFirstHalf);
  }

  // How it travels.

  /** The first byte comes late. */
  public static Fault slowHeaders(Duration delay) {
    return delivery((normal, release) -> normal.delayed(release, delay));
  }

  public static Fault slowBody(long bytesPerSecond) {
    return delivery((normal, release) -> normal.paced(release, bytesPerSecond));
  }

  /** Half of the body comes, and the rest when the fault is closed. */
  public static Fault silentBody() {
    return stopping(Stop.SILENCE, OptionalLong.empty());
  }

  /** So many bytes of the body come, and the rest when the fault is closed. */
  public static Fault silentAfter(long bytes) {
    return stopping(Stop.SILENCE, OptionalLong.of(bytes));
  }

  /** Half of the body comes in chunks, and the connection is closed without the last one. */
  public static Fault cutChunks() {
    return stopping(Stop.CUT, OptionalLong.empty());
  }

  /** So many bytes of the body come in chunks, and the connection is closed. */
  public static Fault cutAfter(long bytes) {
    return stopping(Stop.CUT, OptionalLong.of(bytes));
  }

  /** The connection is reset after half of the body. */
  public static Fault resetBody() {
    return stopping(Stop.RESET, OptionalLong.empty());
  }
}
