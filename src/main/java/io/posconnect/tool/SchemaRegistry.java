package io.posconnect.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.jspecify.annotations.Nullable;

/**
 * Asks a registry for writers' schemas, each schema once, and registers schemas, through
 * Confluent's HTTP interface.
 */
final class SchemaRegistry {

  private static final int ANSWER_MS = 30_000;
  private static final int MOST_BYTES = 16 << 20;
  private static final int UNPROCESSABLE = 422;
  private static final String MEDIA_TYPE = "application/vnd.schemaregistry.v1+json";

  private final URI address;
  private final RegistryAccess access;
  private final Map<Integer, Optional<Schema>> schemas = new HashMap<>();

  SchemaRegistry(URI address, RegistryAccess access) {
    this.address = address;
    this.access = access;
  }

  /**
   * The schema with that number; empty if Avro cannot read it.
   *
   * @throws EndedException when the registry does not answer, or lacks the schema
   */
  Optional<Schema> byId(int id) {
    return schemas.computeIfAbsent(id, this::request);
  }

  private Optional<Schema> request(int id) {
    return ask(
        "/schemas/ids/" + id,
        "no schema " + id,
        connection -> {
          try (InputStream body = connection.getInputStream()) {
            return parsed(ConnectorConfig.JSON.readTree(body.readNBytes(MOST_BYTES)));
          }
        });
  }

  /**
   * Registers a schema, as a converter does at its first record; one that is there keeps its
   * number.
   *
   * @return the number
   * @throws EndedException when the registry does not answer, or refuses the schema
   */
  int register(String subject, Schema schema) {
    byte[] body =
        ConnectorConfig.JSON
            .createObjectNode()
            .put("schema", schema.toString())
            .toString()
            .getBytes(StandardCharsets.UTF_8);
    return ask(
        "/subjects/" + subject + "/versions",
        "no subjects",
        connection -> {
          connection.setDoOutput(true);
          connection.setRequestProperty("Content-Type", MEDIA_TYPE);
          connection.getOutputStream().write(body);
          int status = connection.getResponseCode();
          if (status == HttpURLConnection.HTTP_CONFLICT || status == UNPROCESSABLE) {
            throw ExitCode.FOUND.because(
                "%s is refused (%d): its earlier schemas forbid this one, by the rule of the registry."
                    .formatted(subject, status));
          }
          try (InputStream answer = connection.getInputStream()) {
            return ConnectorConfig.JSON.readTree(answer.readNBytes(MOST_BYTES)).path("id").asInt();
          }
        });
  }

  /** What is done with a connection that is not yet open. */
  private interface Exchange<T> {
    T perform(HttpURLConnection connection) throws IOException;
  }

  private <T> T ask(String path, String missing, Exchange<T> exchange) {
    HttpURLConnection connection = null;
    String failure;
    try {
      URI target = URI.create(address.toString().replaceAll("/+$", "") + path);
      connection = (HttpURLConnection) target.toURL().openConnection();
      connection.setConnectTimeout(ANSWER_MS);
      connection.setReadTimeout(ANSWER_MS);
      // A redirect could take the password to another host.
      connection.setInstanceFollowRedirects(false);
      connection.setRequestProperty("Accept", MEDIA_TYPE);
      access.apply(connection);
      T answer = exchange.perform(connection);
      if (connection.getResponseCode() == HttpURLConnection.HTTP_OK) {
        return answer;
      }
      failure = Integer.toString(connection.getResponseCode());
    } catch (IOException | IllegalArgumentException e) {
      failure = status(connection).orElse(e.getClass().getSimpleName());
    }
    if (failure.equals("404")) {
      throw ExitCode.BROKEN.because(
          ("The registry at %s has %s. Check its address: it is that of Confluent's"
                  + " interface, such as http://HOST/apis/ccompat/v7 of Apicurio Registry.")
              .formatted(withoutPassword(), missing));
    }
    throw ExitCode.BROKEN.because(
        "The registry at %s does not answer: %s".formatted(withoutPassword(), failure));
  }

  /** Of an answer that is an error; empty if there is none. */
  private static Optional<String> status(@Nullable HttpURLConnection connection) {
    try {
      int status = connection == null ? -1 : connection.getResponseCode();
      return status < 0 ? Optional.empty() : Optional.of(Integer.toString(status));
    } catch (IOException e) {
      return Optional.empty(); // The first failure is the reason.
    }
  }

  private static Optional<Schema> parsed(JsonNode answer) {
    try {
      return Optional.of(new Schema.Parser().parse(answer.path("schema").asText()));
    } catch (AvroRuntimeException e) {
      return Optional.empty(); // a schema of another kind, such as Protobuf
    }
  }

  private String withoutPassword() {
    return address.toString().replaceFirst("//[^/@]*@", "//");
  }
}
