package io.posconnect.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.posconnect.record.Destination.EventFormat;
import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Schema;
import org.junit.jupiter.api.Test;

/** A real PostgreSQL has a column for every field of every topic, without a quote, as sinks do. */
final class PostgresTablesTest {

  @Test
  void everyFieldBecomesAColumnWithoutQuotes() throws IOException, SQLException {
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
        statement.execute("create schema " + format.spelling());
        statement.execute("set search_path to " + format.spelling());
        int tables = 0;
        for (TopicSchemas topic : Fixture.everyTopic(format)) {
          statement.execute("create table t" + tables++ + columns(topic));
        }
        assertThat(columns(statement, format)).isGreaterThan(60);
      }
      assertThatThrownBy(() -> statement.execute("create table t (fetch text)"))
          .as("a reserved word")
          .isInstanceOf(SQLException.class);
    }
  }

  private static String columns(TopicSchemas topic) {
    Field after = topic.value().field("after");
    Schema row = after == null ? topic.value() : after.schema();
    return Stream.concat(topic.key().fields().stream(), row.fields().stream())
        .map(Field::name)
        .distinct()
        .collect(Collectors.joining(" text, ", " (", " text)"));
  }

  private static int columns(Statement statement, EventFormat format) throws SQLException {
    try (ResultSet count =
        statement.executeQuery(
            "select count(*) from information_schema.columns where table_schema = '"
                + format.spelling()
                + "'")) {
      count.next();
      return count.getInt(1);
    }
  }
}
