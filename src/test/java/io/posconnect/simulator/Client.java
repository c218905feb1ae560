package io.posconnect.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;

/** The plainest client there is, for looking at the simulator from outside. */
final class Client {

  private static final ObjectMapper MAPPER = new ObjectMapper();

  private final HttpClient http =
      HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
  private final Simulator service;
  private final String key;

  Client(Simulator service, String key) {
    this.service = service;
    this.key = key;
  }

  static Client of(Simulator service) {
    return new Client(service, Simulator.KEY);
  }

  HttpRequest.Builder request(String target) {
    return HttpRequest.newBuilder(URI.create(service.baseUrl() + target))
        .header("Accept", "application/json")
        .header("Authorization", basic(key + ":"));
  }

  static String basic(String credentials) {
    byte[] bytes = credentials.getBytes(StandardCharsets.UTF_8);
    return "Basic " + Base64.getEncoder().encodeToString(bytes);
  }

  HttpResponse<String> get(String target) throws IOException, InterruptedException {
    return send(request(target).build());
  }

  HttpResponse<String> send(HttpRequest request) throws IOException, InterruptedException {
    return http.send(request, HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  CompletableFuture<HttpResponse<String>> later(String target) {
    return http.sendAsync(
        request(target).build(), HttpResponse.BodyHandlers.ofString(StandardCharsets.UTF_8));
  }

  int status(String target) throws IOException, InterruptedException {
    return get(target).statusCode();
  }

  /** The body of a 200. */
  JsonNode json(String target) throws IOException, InterruptedException {
    HttpResponse<String> response = get(target);
    if (response.statusCode() != 200) {
      throw new IOException(target + " was answered with " + response.statusCode());
    }
    return MAPPER.readTree(response.body());
  }
}
