package io.posconnect.tool;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.io.IOException;
import java.util.Optional;
import javax.net.ssl.SSLHandshakeException;
import okhttp3.MediaType;
import okhttp3.Request;
import okhttp3.RequestBody;
import okhttp3.Response;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/** Asks a registry for writers' schemas, and registers schemas, through Confluent's interface. */
record SchemaRegistry(RegistryAccess access) {

  private static final int MOST_BYTES = 16 << 20;
  private static final int NO_SCHEMA = 40403;
  private static final MediaType TYPE = MediaType.get("application/vnd.schemaregistry.v1+json");

  private String address() {
    return access
        .address()
        .orElseThrow(
            () ->
                ExitCode.UNREADABLE.because(
                    "The records are Avro: name the registry with --registry."))
        .toString()
        .replaceAll("/+$", "");
  }

  /**
   * The schema with that number, or that of null for one of another kind, such as Protobuf; empty
   * if the registry has none.
   *
   * @throws EndedException when the registry does not answer
   */
  Optional<Schema> byId(int id) {
    JsonNode answer = ask("/schemas/ids/" + id, new Request.Builder(), "schema", "schema " + id);
    if (answer.has("error_code")) {
      return Optional.empty();
    }
    try {
      return Optional.of(new Schema.Parser().parse(answer.path("schema").asText()));
    } catch (AvroRuntimeException e) {
      return Optional.of(Schema.create(Schema.Type.NULL));
    }
  }

  /**
   * Registers a schema, as a converter does at its first record; one that is there keeps its
   * number.
   *
   * @return the number
   * @throws EndedException when the registry does not answer, or refuses the schema
   */
  int register(String subject, Schema schema) {
    String body =
        ConnectorConfig.JSON.createObjectNode().put("schema", schema.toString()).toString();
    Request.Builder request = new Request.Builder().post(RequestBody.create(body, TYPE));
    return ask("/subjects/" + subject + "/versions", request, "id", "subject " + subject)
        .path("id")
        .asInt();
  }

  /**
   * Asks the registry, and refuses an answer that lacks the field, which is of something else.
   *
   * @param subject what the field is of, for a message
   */
  private JsonNode ask(String path, Request.Builder request, String field, String subject) {
    try {
      request.url(address() + path).header("Accept", TYPE.toString());
      access.authorization().ifPresent(header -> request.header("Authorization", header));
      try (Response response = access.http().newCall(request.build()).execute()) {
        byte[] body = response.body().byteStream().readNBytes(MOST_BYTES);
        JsonNode answer = parsed(body);
        if (response.code() != 200 && answer.path("error_code").asInt() != NO_SCHEMA) {
          throw refused(response.code(), subject); // not the 404 of the registry itself
        }
        if (response.code() == 200 && !answer.hasNonNull(field)) {
          throw failed("answers without " + subject + ": it may be the address of something else");
        }
        return answer;
      }
    } catch (SSLHandshakeException e) {
      throw failed(
          "and the tool do not trust each other (%s). Name the stores as schema.registry.ssl.truststore.…"
                  .formatted(e.getClass().getSimpleName())
              + " and .keystore.…, in the file of --client or of the configuration's"
              + " value.converter.");
    } catch (IOException | IllegalArgumentException e) {
      throw failed("does not answer: " + e.getClass().getSimpleName());
    }
  }

  /** What is no JSON has no fields. */
  private static JsonNode parsed(byte[] body) {
    try {
      return ConnectorConfig.JSON.readTree(body);
    } catch (IOException e) {
      return MissingNode.getInstance();
    }
  }

  private EndedException refused(int status, String subject) {
    return switch (status) {
      case 401, 403 ->
          failed(
              "does not admit the tool (%s). Give it a user as basic.auth.user.info or a token as"
                      .formatted(status)
                  + " bearer.auth.token, in the file of --client, or of the configuration's"
                  + " value.converter, whose own go only to its own schema.registry.url.");
      case 404 ->
          failed(
              "has no %s. Check its address: it is that of Confluent's interface, such as"
                      .formatted(subject)
                  + " http://HOST/apis/ccompat/v7 of Apicurio Registry.");
      case 409, 422 ->
          ExitCode.FOUND.because(
              "%s is refused (%s): its earlier schemas forbid this one, by the rule of the registry."
                  .formatted(subject, status));
      default -> failed("does not answer: " + status);
    };
  }

  private EndedException failed(String how) {
    return ExitCode.BROKEN.because(
        "The registry at %s %s".formatted(Tool.withoutUsers(address()), how));
  }
}
