package io.posconnect.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.apicurio.registry.utils.converter.avro.AvroData;
import io.posconnect.Io;
import io.posconnect.record.Destination.EventFormat;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.avro.NameValidator;
import org.apache.avro.Schema;
import org.apache.avro.SchemaFormatter;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Holds every build to the schemas of every release, each of which has a folder. {@code
 * -Dschemas=<version>} writes that of a version that is not released yet.
 */
final class ReleasedSchemasTest {

  private static final Path RELEASES = Path.of("src", "released", "schemas");

  private static final AvroData CONVERTER = new AvroData(1000);

  /** By name of the file: what a registry gets of this build. */
  private static Map<String, Schema> built() {
    Map<String, Schema> schemas = new TreeMap<>();
    for (EventFormat format : EventFormat.values()) {
      for (TopicSchemas each : Fixture.everyTopic(format)) {
        String topic = each.topic().substring("pos.".length());
        boolean events = each.value().field("extra") != null || each.value().field("op") != null;
        String value = events ? format.spelling() : "value";
        schemas.put(topic + "-key.avsc", CONVERTER.fromConnectSchema(each.key()));
        schemas.put(topic + "-" + value + ".avsc", CONVERTER.fromConnectSchema(each.value()));
      }
    }
    return schemas;
  }

  private static Map<String, Schema> released(Path folder) {
    Map<String, Schema> schemas = new TreeMap<>();
    for (String name : Io.names(folder)) {
      // One parser each: a file has all that it needs.
      Schema.Parser parser = new Schema.Parser(NameValidator.STRICT_VALIDATOR);
      schemas.put(name, Io.unchecked(() -> parser.parse(folder.resolve(name).toFile())));
    }
    return schemas;
  }

  private static List<Path> releases() {
    return Io.list(RELEASES).stream()
        .filter(Files::isDirectory)
        .sorted(Comparator.comparing(folder -> Version.parse(folder.getFileName().toString())))
        .toList();
  }

  @Test
  void thisBuildBreaksNoRelease() throws IOException {
    Map<String, Schema> built = built();
    write(built);
    List<String> breaks = new ArrayList<>();
    for (Path release : releases()) {
      released(release)
          .forEach((file, schema) -> addBreaks(release.resolve(file), schema, built, breaks));
    }
    assertThat(breaks).as("consumers of a release would notice").isEmpty();
  }

  private static void addBreaks(
      Path file, Schema released, Map<String, Schema> built, List<String> breaks) {
    String name = file.getFileName().toString();
    Schema now = built.get(name);
    if (now == null) {
      breaks.add(file + ": nothing is written any more with that schema");
      return;
    }
    List<String> found =
        name.endsWith("-key.avsc")
            ? SchemaBreaks.ofKey(released, now)
            : SchemaBreaks.ofValue(released, now);
    found.forEach(each -> breaks.add(file + ": " + each));
  }

  private static void write(Map<String, Schema> built) throws IOException {
    String version = System.getProperty("schemas", "");
    if (version.isEmpty()) {
      return;
    }
    Path folder = Files.createDirectories(RELEASES.resolve(version));
    for (Map.Entry<String, Schema> each : built.entrySet()) {
      Files.writeString(
          folder.resolve(each.getKey()),
          SchemaFormatter.format("json/pretty", each.getValue()) + "\n");
    }
  }

  @Test
  void theLatestReleaseHasEverySchema() throws IOException {
    List<Path> releases = releases();
    assertThat(releases).isNotEmpty();

    Map<String, Schema> latest = released(releases.get(releases.size() - 1));

    assertThat(latest.keySet())
        .as("write it with mvn -B test -Dtest=ReleasedSchemasTest -Dschemas=<version>")
        .isEqualTo(built().keySet())
        .contains("products-key.avsc", "products-envelope.avsc", "products-flat.avsc")
        .contains("checkpoints-value.avsc", "status-value.avsc", "dead-letters-key.avsc");
  }

  private static final String PRICE =
      "{\"type\":\"record\",\"name\":\"R\",\"fields\":[{\"name\":\"id\",\"type\":\"long\"},"
          + "{\"name\":\"price\",\"type\":[\"null\",{\"type\":\"bytes\",\"logicalType\":\"decimal\","
          + "\"precision\":38,\"scale\":9}],\"default\":null}]}";

  private static Schema parsed(String avro) {
    return new Schema.Parser(NameValidator.STRICT_VALIDATOR).parse(avro);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "\"scale\":9; \"scale\":2; misread every value",
        "\"precision\":38; \"precision\":20; misread every value",
        "\"name\":\"price\"; \"name\":\"cost\"; the field is gone",
        "\"name\":\"R\"; \"name\":\"S\"; classes that are generated",
        "\"type\":\"long\"; \"type\":\"string\"; the registry, which refuses it",
        "\"type\":\"long\"; \"type\":\"long\"},{\"name\":\"x\",\"type\":\"long\"; the registry",
      })
  void reportsABreakAndWhoNoticesIt(String before, String now, String noticed) {
    String broken = PRICE.replace(before, now);
    assertThat(broken).isNotEqualTo(PRICE);

    assertThat(SchemaBreaks.ofValue(parsed(PRICE), parsed(broken)))
        .anySatisfy(each -> assertThat(each).contains(noticed));
  }

  @Test
  void moreOptionalFieldsAndOtherDocsBreakNothing() {
    String more =
        PRICE
            .replace("}]}", "},{\"name\":\"x\",\"type\":[\"null\",\"long\"],\"default\":null}]}")
            .replace("\"name\":\"R\"", "\"name\":\"R\",\"doc\":\"d\"");

    assertThat(SchemaBreaks.ofValue(parsed(PRICE), parsed(more))).isEmpty();
    assertThat(SchemaBreaks.ofKey(parsed(PRICE), parsed(PRICE))).isEmpty();
    assertThat(SchemaBreaks.ofKey(parsed(PRICE), parsed(more)))
        .singleElement()
        .satisfies(each -> assertThat(each).contains("Kafka Streams"));
  }
}
