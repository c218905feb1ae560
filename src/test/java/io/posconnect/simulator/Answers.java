package io.posconnect.simulator;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.concurrent.atomic.AtomicLong;

/** The responses that are not data, in the shapes that the service is known for. */
final class Answers {

  private static final ObjectMapper MAPPER = new ObjectMapper();
  private static final AtomicLong TRACES = new AtomicLong();

  private Answers() {}

  /** The published error body: a message for people and a trace id for support. */
  static Response error(int status, String message) {
    ObjectNode body = MAPPER.createObjectNode();
    body.put("Message", message);
    body.put("TraceId", trace());
    return Response.of(status, "application/json", body.toString());
  }

  static Response throttled(int limit) {
    return error(429, "Only " + limit + " requests per minute are permitted to this endpoint.");
  }

  static Response lacks(Permission permission) {
    return error(403, "The key lacks the permission " + permission.published() + ".");
  }

  /** A 400 as ASP.NET writes it when a parameter cannot be read. */
  static Response invalid(String parameter, String reason) {
    ObjectNode body = MAPPER.createObjectNode();
    body.put("title", "One or more validation errors occurred.");
    body.put("status", 400);
    body.putObject("errors").putArray(parameter).add(reason);
    body.put("traceId", trace());
    return Response.of(400, "application/problem+json; charset=utf-8", body.toString());
  }

  static Response malformed() {
    return Response.of(400, "text/html", "<html><body><h1>Bad Request</h1></body></html>");
  }

  private static String trace() {
    return String.format("0HN%010X", TRACES.incrementAndGet());
  }
}
