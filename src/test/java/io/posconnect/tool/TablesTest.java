package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Io;
import io.posconnect.record.DeclaredType;
import io.posconnect.record.Destination.EventFormat;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The tables that the tool prints are those of the schemas that it writes. */
class TablesTest {

  private static final String THING =
      """
      {"type":"record","name":"Thing","fields":[
       {"name":"id","type":"long"},
       {"name":"variant","type":["null","string"],"default":null},
       {"name":"price","type":["null",{"type":"bytes","logicalType":"decimal","precision":9,
        "scale":2}],"default":null},
       {"name":"made","type":["null",{"type":"long","logicalType":"timestamp-millis"}],
        "default":null},
       {"name":"seen","type":["null",{"type":"long","logicalType":"timestamp-micros"}],
        "default":null},
       {"name":"day","type":["null",{"type":"int","logicalType":"date"}],"default":null},
       {"name":"hour_of","type":["null",{"type":"int","logicalType":"time-millis"}],
        "default":null},
       {"name":"note","type":["null",{"type":"string","connect.name":"io.debezium.data.Json"}],
        "default":null}%s]}\
      """;

  private static final String NESTED =
      """
      ,{"name":"tags","type":["null",{"type":"array","items":"string"}],"default":null},
       {"name":"counts","type":["null",{"type":"map","values":"int"}],"default":null},
       {"name":"room","type":["null",{"type":"record","name":"Room","fields":[
        {"name":"table","type":["null","double"],"default":null}]}],"default":null}\
      """;

  private static final List<String> FLAT = List.of("--set", "event.format=flat");

  @TempDir private Path folder;

  private Run things(String fields, String... options) {
    Map<String, String> settings = Run.things("https://service.invalid", "${env:KEY}");
    settings.put("resources", "things,user");
    settings.put("resources.user.path", "/user");
    settings.put("resources.user.retrieval", "full");
    settings.put("resources.user.key.fields", "id");
    settings.put("resources.things.schema", THING.formatted(fields));
    return Run.of("schemas", Run.file(folder, settings), (Object[]) options);
  }

  /** The first statement that was printed. */
  private static String first(Run run) {
    assertThat(run.code()).as(run.all()).isZero();
    return run.out().substring(0, run.out().indexOf(";\n") + 2);
  }

  @Test
  void declaresFlinkTableOfEnvelope() {
    Run run =
        things(NESTED, "--flink", "--bootstrap", "b:9092", "--registry", "http://registry/it's");

    assertThat(first(run))
        .isEqualTo(
            """
            CREATE TABLE `pos_things` (
              `location` STRING,
              `id` BIGINT,
              `after` ROW<`location` STRING, `id` BIGINT, `variant` STRING, `price` DECIMAL(9, 2), \
            `made` TIMESTAMP(3), `seen` BIGINT, `day` DATE, `hour_of` TIME(3), `note` STRING, \
            `tags` ARRAY<STRING>, `counts` MAP<STRING, INT>, `room` ROW<`table` DOUBLE>, `extra` STRING>,
              `source` ROW<`version` STRING, `connector` STRING, `name` STRING, `ts_ms` BIGINT, \
            `snapshot` STRING, `db` STRING, `table` STRING, `fetch_kind` STRING, `seq` BIGINT, \
            `epoch_ms` BIGINT>,
              `op` STRING,
              `ts_ms` BIGINT,
              PRIMARY KEY (`location`, `id`) NOT ENFORCED
            ) WITH (
              'connector' = 'upsert-kafka',
              'topic' = 'pos.things',
              'properties.bootstrap.servers' = 'b:9092',
              'properties.isolation.level' = 'read_committed',
              'key.format' = 'avro-confluent',
              'key.avro-confluent.url' = 'http://registry/it''s',
              'value.format' = 'avro-confluent',
              'value.avro-confluent.url' = 'http://registry/it''s',
              'value.fields-include' = 'EXCEPT_KEY'
            );
            """);
  }

  @Test
  void showsNoPasswordOfARegistry() throws IOException {
    Run run = things("", "--flink", "--registry", "http://user:pass@registry:8081");

    assertThat(run.out()).contains("'http://registry:8081'").doesNotContain("pass");
  }

  @Test
  void declaresFlinkTableOfFlatEvents() {
    Run run = things("", "--flink", "--set", "event.format=flat");

    assertThat(first(run))
        .startsWith(
            """
            CREATE TABLE `pos_things` (
              `location` STRING,
              `id` BIGINT,
              `variant` STRING,
              `price` DECIMAL(9, 2),
              `made` TIMESTAMP(3),
              `seen` BIGINT,
              `day` DATE,
              `hour_of` TIME(3),
              `note` STRING,
              `extra` STRING,
              PRIMARY KEY (`location`, `id`) NOT ENFORCED
            """)
        .contains("'BROKERS'", "'REGISTRY'");
  }

  @Test
  void quotesTableThatBeginsWithDigit() {
    Run run =
        things(
            "",
            "--flink",
            "--set",
            "topic.template={location}.{resource}",
            "--set",
            "location.name=001");

    assertThat(first(run)).startsWith("CREATE TABLE `001_things` (");
  }

  @Test
  void tablesOfTopicsThatDifferInOneMarkHaveTwoNames() {
    Map<String, String> settings = Run.settings("https://service.invalid", "${env:KEY}");
    settings.put("resources", "products");
    settings.put("topic.template", "{location}.{resource}");
    settings.put("locations", "a-b,a_b");
    settings.put("locations.a-b.api.key", "one");
    settings.put("locations.a_b.api.key", "other");

    Run run = Run.of("schemas", Run.file(folder, settings), "--flink");

    assertThat(run.out().lines().filter(line -> line.startsWith("CREATE TABLE")))
        .contains("CREATE TABLE `a_b_products` (", "CREATE TABLE `a_b_products_2` (")
        .doesNotHaveDuplicates();
  }

  @Test
  void refusesDecimalWithMoreDigitsThanFlinkHas() {
    String wide =
        ",{\"name\":\"wide\",\"type\":{\"type\":\"bytes\",\"logicalType\":\"decimal\","
            + "\"precision\":40,\"scale\":2}}";

    Run run = things(wide, "--flink").ending(ExitCode.FOUND.number);
    assertThat(run.text()).contains("pos_things.after.wide has more than 38 digits");
  }

  @Test
  void refusesKeyFieldThatHasTheNameOfFieldOfTheEnvelope() {
    String fields =
        ",{\"name\":\"op\",\"type\":\"string\"},{\"name\":\"before\",\"type\":\"string\"}";
    String[] options = {"--flink", "--set", "resources.things.key.fields=id,op,before"};
    Run run = things(fields, options).ending(ExitCode.FOUND.number);
    assertThat(run.text()).contains("pos_things.op", "pos_things.before", "event.format=flat");
    Run flat =
        things(fields, Stream.concat(Stream.of(options), FLAT.stream()).toArray(String[]::new));
    assertThat(first(flat))
        .contains("PRIMARY KEY (`location`, `id`, `op`, `before`)", "`before` STRING,");
  }

  @ParameterizedTest
  @EnumSource
  void everyFieldOfEverySchemaIsAColumn(EventFormat format) throws IOException {
    String flink = Sql.of(folder, format, "--flink");
    Sql.of(folder, format, "--out", folder.resolve("schemas").toString());

    List<Path> files = Io.list(folder.resolve("schemas"));
    for (Path file : files.stream().filter(f -> f.toString().endsWith("-value.avsc")).toList()) {
      String topic = file.getFileName().toString().replace("-value.avsc", "");
      Schema value = Run.schema(file);
      Schema key = Run.schema(file.resolveSibling(topic + "-key.avsc"));
      Schema.Field after = value.getField("after");
      Schema row = after == null ? value : DeclaredType.withoutNull(after.schema());
      String table = statement(flink, topic);
      for (Schema.Field field : row.getFields()) {
        assertThat(table).as(topic).containsPattern("[ <]`" + field.name() + "` [A-Za-z]");
        if (DeclaredType.withoutNull(field.schema()).getLogicalType()
            instanceof LogicalTypes.Decimal decimal) {
          assertThat(table).containsPattern(field.name() + "` \\w+\\(38, " + decimal.getScale());
        }
      }
      List<String> names = key.getFields().stream().map(each -> "`" + each.name() + "`").toList();
      boolean raw = key.getFields().stream().anyMatch(field -> field.schema().isNullable());
      assertThat(table)
          .contains("PRIMARY KEY (" + (raw ? "`record_key`" : String.join(", ", names)) + ")");
    }
  }

  private static String statement(String sql, String topic) {
    Matcher statement =
        Pattern.compile("CREATE TABLE `" + topic.replaceAll("\\W", "_") + "` \\([^;]*;")
            .matcher(sql);
    assertThat(statement.find()).as("%s in %s", topic, sql).isTrue();
    return statement.group();
  }

  @Test
  void writesTheStatementsIntoTheFolder() throws IOException {
    Path out = folder.resolve("sql");

    Run run = things("", "--flink", "--out", out.toString());

    assertThat(run.out()).contains("flink.sql written");
    assertThat(Files.readString(out.resolve("flink.sql"))).isEqualTo(things("", "--flink").out());
  }

  @Test
  void refusesAddressesWithoutFlink() {
    assertThat(things("", "--registry", "http://r").code()).isEqualTo(ExitCode.UNREADABLE.number);
  }
}
