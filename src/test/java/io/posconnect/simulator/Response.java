package io.posconnect.simulator;

import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/** What is to be sent: values only, so that a fault can exchange any part of it. */
record Response(int status, Map<String, String> headers, Body body, Delivery delivery) {

  static final String JSON = "application/json; charset=utf-8";

  Response {
    Map<String, String> anyCase = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    anyCase.putAll(headers);
    headers = anyCase;
  }

  static Response of(int status, String contentType, String text) {
    return new Response(
        status,
        Map.of("Content-Type", contentType),
        Body.of(text.getBytes(StandardCharsets.UTF_8)),
        Delivery.PLAIN);
  }

  static Response empty(int status) {
    return new Response(status, Map.of(), Body.of(new byte[0]), Delivery.PLAIN);
  }

  static Response rows(Body body) {
    return new Response(200, Map.of("Content-Type", JSON), body, Delivery.PLAIN);
  }

  Response with(String header, String value) {
    Map<String, String> more = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    more.putAll(headers);
    more.put(header, value);
    return new Response(status, more, body, delivery);
  }

  Response without(String header) {
    Map<String, String> fewer = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    fewer.putAll(headers);
    fewer.remove(header);
    return new Response(status, fewer, body, delivery);
  }

  Response with(Body other) {
    return new Response(status, headers, other, delivery);
  }

  Response with(Delivery other) {
    return new Response(status, headers, body, other);
  }
}
