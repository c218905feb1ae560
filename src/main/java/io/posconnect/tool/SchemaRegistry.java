package io.posconnect.tool;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.io.InputStream;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;

/** Asks a registry for writers' schemas through Confluent's HTTP interface, each schema once. */
final class SchemaRegistry {

  private static final int ANSWER_MS = 30_000;
  private static final int MOST_BYTES = 16 << 20;

  private final URI address;
  private final Optional<String> userInfo;
  private final Map<Integer, Optional<Schema>> schemas = new HashMap<>();

  /**
   * @param userInfo user and password, with a colon between
   */
  SchemaRegistry(URI address, Optional<String> userInfo) {
    this.address = address;
    this.userInfo = userInfo;
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
    String failure;
    try {
      URI schema = URI.create(address.toString().replaceAll("/+$", "") + "/schemas/ids/" + id);
      HttpURLConnection connection = (HttpURLConnection) schema.toURL().openConnection();
      connection.setConnectTimeout(ANSWER_MS);
      connection.setReadTimeout(ANSWER_MS);
      // A redirect could take the password to another host.
      connection.setInstanceFollowRedirects(false);
      connection.setRequestProperty("Accept", "application/vnd.schemaregistry.v1+json");
      userInfo.ifPresent(
          pair -> connection.setRequestProperty("Authorization", "Basic " + base64(pair)));
      int status = connection.getResponseCode();
      if (status == HttpURLConnection.HTTP_OK) {
        return parsed(connection);
      }
      if (status == HttpURLConnection.HTTP_NOT_FOUND) {
        throw ExitCode.BROKEN.because(
            ("The registry at %s has no schema %d. Check its address: it is that of Confluent's"
                    + " interface, such as http://HOST/apis/ccompat/v7 of Apicurio Registry.")
                .formatted(withoutPassword(), id));
      }
      failure = Integer.toString(status);
    } catch (IOException | IllegalArgumentException e) {
      failure = e.getClass().getSimpleName();
    }
    throw ExitCode.BROKEN.because(
        "The registry at %s does not answer: %s".formatted(withoutPassword(), failure));
  }

  private static Optional<Schema> parsed(HttpURLConnection connection) throws IOException {
    try (InputStream body = connection.getInputStream()) {
      JsonNode answer = ConnectorConfig.JSON.readTree(body.readNBytes(MOST_BYTES));
      return Optional.of(new Schema.Parser().parse(answer.path("schema").asText()));
    } catch (AvroRuntimeException e) {
      return Optional.empty(); // a schema of another kind, such as Protobuf
    }
  }

  private String withoutPassword() {
    return address.toString().replaceFirst("//[^/@]*@", "//");
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }
}
