package io.posconnect.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/**
 * A schema registry, asked over Confluent's REST interface, that keeps its schemas in a file, so
 * that they survive a restart.
 */
public final class Registry extends Node {

  private static final Duration START = Duration.ofMinutes(2);

  private final int port;
  private final Path database;
  private final Rest rest;

  Registry(RunFolders run) {
    super("registry", run);
    this.port = freePort();
    this.database = run.folder("registry-" + port).resolve("schemas");
    this.rest = new Rest(confluentUrl());
  }

  @Override
  Child.Command command() {
    return Child.Command.jar(
            "384m",
            Artefacts.registry(),
            Map.of(
                "quarkus.http.host",
                "127.0.0.1",
                "quarkus.http.port",
                Integer.toString(port),
                "apicurio.datasource.url",
                // Or what was registered less than a second before a stop may be gone after it.
                "jdbc:h2:file:" + database + ";WRITE_DELAY=0"))
        .with("-XX:TieredStopAtLevel=1");
  }

  @Override
  void awaitReady(Child started) {
    started.awaitReady(START, () -> rest.get("/subjects").ok());
  }

  @Override
  String address() {
    return url().toString();
  }

  /** The server's root. */
  public URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }

  /** The address for the Avro converter. */
  public URI converterUrl() {
    return url().resolve("/apis/registry/v2");
  }

  /** The address for clients of Confluent's registry. */
  public URI confluentUrl() {
    return url().resolve("/apis/ccompat/v7");
  }

  /** The subjects, sorted. */
  public List<String> subjects() {
    return texts(Rest.unwrap(() -> rest.get("/subjects"))).stream().sorted().toList();
  }

  public List<Integer> versions(String subject) {
    List<Integer> versions = new ArrayList<>();
    Rest.unwrap(() -> rest.get(subject(subject) + "/versions"))
        .forEach(n -> versions.add(n.asInt()));
    return versions;
  }

  public Schema latest(String subject) {
    return schema(Rest.unwrap(() -> rest.get(subject(subject) + "/versions/latest")));
  }

  public void register(String subject, Schema schema) {
    Map<String, String> version = Map.of("schema", schema.toString());
    Rest.unwrap(() -> rest.send("POST", subject(subject) + "/versions", version));
  }

  /** The schema that a message's four bytes name. */
  public Schema byId(int id) {
    return schema(Rest.unwrap(() -> rest.get("/schemas/ids/" + id)));
  }

  /** Sets the compatibility of subjects without their own, such as {@code FULL_TRANSITIVE}. */
  public void compatibility(String level) {
    Rest.unwrap(() -> rest.send("PUT", "/config", Map.of("compatibility", level)));
  }

  private static String subject(String subject) {
    return "/subjects/" + URLEncoder.encode(subject, StandardCharsets.UTF_8);
  }

  private static Schema schema(JsonNode answer) {
    return new Schema.Parser().parse(answer.path("schema").textValue());
  }

  private static List<String> texts(JsonNode array) {
    List<String> texts = new ArrayList<>();
    array.forEach(node -> texts.add(node.textValue()));
    return texts;
  }
}
