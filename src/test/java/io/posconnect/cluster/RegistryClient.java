package io.posconnect.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.avro.Schema;

/** Asks a registry over Confluent's REST interface. */
public final class RegistryClient {

  private final Rest rest;

  RegistryClient(URI confluentUrl) {
    this.rest = new Rest(confluentUrl);
  }

  /** The subjects, sorted. */
  public List<String> subjects() {
    return texts(Rest.unwrap(() -> rest.get("/subjects"))).stream().sorted().toList();
  }

  /** The numbers of a subject's versions. */
  public List<Integer> versions(String subject) {
    List<Integer> versions = new ArrayList<>();
    Rest.unwrap(() -> rest.get(subject(subject) + "/versions"))
        .forEach(n -> versions.add(n.asInt()));
    return versions;
  }

  /** The latest schema of a subject. */
  public Schema latest(String subject) {
    return schema(Rest.unwrap(() -> rest.get(subject(subject) + "/versions/latest")));
  }

  /** The schema that a message's four bytes name. */
  public Schema byId(int id) {
    return schema(Rest.unwrap(() -> rest.get("/schemas/ids/" + id)));
  }

  /** Registers a schema, or finds it, and returns the number that messages carry. */
  public int register(String subject, Schema schema) {
    return Rest.unwrap(
            () ->
                rest.send(
                    "POST", subject(subject) + "/versions", Map.of("schema", schema.toString())))
        .path("id")
        .intValue();
  }

  /** What every subject without a level of its own must keep, such as {@code FULL_TRANSITIVE}. */
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
