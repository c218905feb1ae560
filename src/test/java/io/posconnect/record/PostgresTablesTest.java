package io.posconnect.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.posconnect.record.Destination.EventFormat;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.junit.jupiter.api.Test;

/** A real PostgreSQL makes a table of every topic, without one quote. */
final class PostgresTablesTest {

  @Test
  void everyTopicBecomesATableWithoutQuotes() throws IOException, SQLException {
    // The binaries that the build brings along are for that one.
    assumeThat(System.getProperty("os.name") + " " + System.getProperty("os.arch"))
        .isEqualTo("Linux amd64");
    try (EmbeddedPostgres server =
            EmbeddedPostgres.builder()
                .setOverrideWorkingDirectory(Path.of("target", "postgres").toFile())
                .setDataDirectory(Path.of("target", "postgres", "data"))
                // The environment may name a locale that is not installed.
                .setLocaleConfig("locale", "C")
                .setServerConfig("listen_addresses", "127.0.0.1")
                .setServerConfig("unix_socket_directories", "")
                .start();
        Connection connection = server.getPostgresDatabase().getConnection();
        Statement statement = connection.createStatement()) {
      for (EventFormat format : EventFormat.values()) {
        for (TopicSchemas each : Fixture.everyTopic(format)) {
          String table = format.spelling() + "_" + each.topic().replaceAll("[^a-z]", "_");
          statement.execute(create(table, columns(each)));
        }
      }
      assertThatThrownBy(() -> statement.execute("create table t (fetch text)"))
          .as("a reserved word")
          .isInstanceOf(SQLException.class);
    }
  }

  /** Those of the key, then those of the row. */
  private static Map<String, String> columns(TopicSchemas topic) {
    Map<String, String> columns = new LinkedHashMap<>();
    Field after = topic.value().field("after");
    for (Schema schema : List.of(topic.key(), after == null ? topic.value() : after.schema())) {
      for (Field field : schema.fields()) {
        columns.putIfAbsent(
            field.name(), type(field.schema()) + (field.schema().isOptional() ? "" : " not null"));
      }
    }
    return columns;
  }

  private static String create(String table, Map<String, String> columns) {
    assertThat(columns.keySet()).startsWith("location");
    return columns.entrySet().stream()
        .map(column -> column.getKey() + " " + column.getValue())
        .collect(Collectors.joining(", ", "create table " + table + " (", ")"));
  }

  /** As Debezium's sink chooses. */
  private static String type(Schema schema) {
    String semantic = schema.name() == null ? "" : schema.name();
    return switch (semantic) {
      case "io.debezium.data.Json" -> "json";
      case "io.debezium.data.Uuid" -> "uuid";
      case "org.apache.kafka.connect.data.Decimal" -> "decimal(38,9)";
      case "org.apache.kafka.connect.data.Timestamp" -> "timestamp(6)";
      default ->
          switch (schema.type()) {
            case STRING -> "text";
            case INT32 -> "integer";
            case INT64 -> "bigint";
            case BOOLEAN -> "boolean";
            case FLOAT64 -> "double precision";
            default -> throw new AssertionError("no column for " + schema.type() + semantic);
          };
    };
  }
}
