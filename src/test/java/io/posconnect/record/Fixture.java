package io.posconnect.record;

import io.posconnect.json.BodyLimits;
import io.posconnect.json.JsonRows;
import io.posconnect.json.Row;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.FieldType.Conversion;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Key;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Shape;
import io.posconnect.resource.Stream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;

/** Row schemas and builders that several tests start from. */
final class Fixture {

  static final SchemaNames NAMES = SchemaNames.of("io.posconnect", "things");
  static final Instant SEEN = Instant.parse("2026-03-01T10:00:07Z");
  static final Provenance INCREMENT =
      new Provenance(FetchKind.INCREMENT, Instant.parse("2026-03-01T10:00:00Z"), false);
  static final Map<String, String> PARTITION = Map.of("stream", "downtown/products/3");
  static final Map<String, String> OFFSET = Map.of("v", "1");
  static final Commit COMMIT = new Commit(PARTITION, OFFSET, written -> {});

  private static final Topics TOPICS =
      new Topics("pos", "{prefix}.{resource}", "pos.checkpoints", "pos.status", "pos.dead-letters");
  private static final String CHARACTERS = "aZ09_-.,\"\\[]{}: \n\u00e9\u2028\ud83d\udca9";

  private Fixture() {}

  /** The row as an event of that schema has it, of a location and a key that do not matter. */
  static Struct row(RowSchema rowSchema, Row row, Conversion conversion) {
    return rowSchema.row(rowSchema.valueSchema(), "downtown", Key.of(1), row, conversion);
  }

  /** A row schema whose Avro fields are the given JSON texts, keyed by the given fields. */
  static RowSchema rowSchema(List<String> keys, String... fields) {
    return rowSchema(DecimalMode.PRECISE, keys, fields);
  }

  static RowSchema rowSchema(DecimalMode decimals, List<String> keys, String... fields) {
    return new RowSchema(DeclaredSchemas.parse(record(fields)), keys, false, decimals, NAMES);
  }

  static String record(String... fields) {
    return "{\"type\":\"record\",\"name\":\"R\",\"fields\":[" + String.join(",", fields) + "]}";
  }

  /** An Avro field of a type that is the given JSON text. */
  static String field(String name, String type) {
    return "{\"name\":\"" + name + "\",\"type\":" + type + "}";
  }

  static String decimal(int precision, int scale) {
    return "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":"
        + precision
        + ",\"scale\":"
        + scale
        + "}";
  }

  static String logical(String base, String logical) {
    return "{\"type\":\"" + base + "\",\"logicalType\":\"" + logical + "\"}";
  }

  static RowSchema products() {
    return builtIn("products", "productId");
  }

  static RowSchema builtIn(String resource, String... keys) {
    return builtIn(resource, List.of(keys), false);
  }

  static RowSchema builtIn(String resource, List<String> keys, boolean occurrences) {
    return new RowSchema(
        DeclaredSchemas.builtIn(resource).orElseThrow(),
        keys,
        occurrences,
        DecimalMode.PRECISE,
        SchemaNames.of("io.posconnect", resource));
  }

  /** A row as it is read from a body: with apostrophes for quotes, and with a LONG text in it. */
  static Row received(String row, String... excluded) throws IOException {
    String text = row.replace('\'', '"').replace("LONG", "9".repeat(2_000));
    return new JsonRows.Factory(new BodyLimits(1_000_000, 1_000, 5, 10_000, 100))
        .rows(
            new ByteArrayInputStream(("[" + text + "]").getBytes(StandardCharsets.UTF_8)),
            Shape.ARRAY,
            new Privacy(List.of(), List.of(excluded), List.of(), ""))
        .next()
        .orElseThrow();
  }

  static RowSchema loyalty() {
    return ofCatalog(Catalog.find("loyalty-transactions").orElseThrow());
  }

  static RowSchema ofCatalog(Catalog.Entry resource) {
    return builtIn(resource.name(), resource.keyFields(), resource.occurrences());
  }

  /** The schemas of everything that a connector writes that reads all that the catalog has. */
  static List<TopicSchemas> everyTopic(EventFormat format) {
    return Catalog.entries().stream()
        .flatMap(
            resource ->
                TopicSchemas.of(
                    ofCatalog(resource),
                    destination(new Stream("downtown", resource.name()), format, true))
                    .stream())
        .distinct()
        .toList();
  }

  /** An event of key 5. */
  static SourceRecord change(RecordBuilder builder, Operation operation, Row row) {
    return builder.change(operation, Key.of(5), row, INCREMENT, COMMIT);
  }

  /** A delete of key 5, and what follows it. */
  static List<SourceRecord> delete(RecordBuilder builder) {
    return builder.delete(Key.of(5), INCREMENT, COMMIT);
  }

  static SourceRecord deadLetter(RecordBuilder builder, Row row, String reason) {
    return builder.deadLetter(row, reason, INCREMENT, COMMIT);
  }

  static RecordBuilder builder(RowSchema rowSchema, EventFormat format, boolean tombstones) {
    return new RecordBuilder(rowSchema, destination(format, tombstones), () -> SEEN);
  }

  static Destination destination(EventFormat format, boolean tombstones) {
    return destination(new Stream("downtown", "products"), format, tombstones);
  }

  private static Destination destination(Stream stream, EventFormat format, boolean tombstones) {
    return new Destination(stream, TOPICS, format, tombstones);
  }

  /** At most so many characters: mostly those that names are made of, else any at all. */
  static String text(RandomGenerator random, int maxLength) {
    int length = random.nextInt(maxLength + 1);
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < length; i++) {
      boolean plain = random.nextBoolean();
      text.append(plain ? CHARACTERS.charAt(random.nextInt(CHARACTERS.length())) : any(random));
    }
    return text.toString();
  }

  private static char any(RandomGenerator random) {
    return (char) random.nextInt(random.nextBoolean() ? 0x100 : 0x10000);
  }

  static <T> T one(RandomGenerator random, List<T> of) {
    return of.get(random.nextInt(of.size()));
  }
}
