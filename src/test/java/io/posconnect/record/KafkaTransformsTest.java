package io.posconnect.record;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.json.Row;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.Envelope.Operation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.DataException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.transforms.Cast;
import org.apache.kafka.connect.transforms.DropHeaders;
import org.apache.kafka.connect.transforms.ExtractField;
import org.apache.kafka.connect.transforms.Filter;
import org.apache.kafka.connect.transforms.Flatten;
import org.apache.kafka.connect.transforms.HeaderFrom;
import org.apache.kafka.connect.transforms.HoistField;
import org.apache.kafka.connect.transforms.InsertField;
import org.apache.kafka.connect.transforms.InsertHeader;
import org.apache.kafka.connect.transforms.MaskField;
import org.apache.kafka.connect.transforms.RegexRouter;
import org.apache.kafka.connect.transforms.ReplaceField;
import org.apache.kafka.connect.transforms.SetSchemaMetadata;
import org.apache.kafka.connect.transforms.TimestampRouter;
import org.apache.kafka.connect.transforms.Transformation;
import org.apache.kafka.connect.transforms.ValueToKey;
import org.apache.kafka.connect.transforms.predicates.RecordIsTombstone;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Kafka's own transforms, on our events and tombstones. */
final class KafkaTransformsTest {

  /**
   * A transform with its settings.
   *
   * @param maker makes it
   */
  private record Case(Supplier<Transformation<SourceRecord>> maker, Map<String, String> settings) {
    Transformation<SourceRecord> configured() {
      Transformation<SourceRecord> transform = maker.get();
      transform.configure(settings);
      return transform;
    }
  }

  private static final Map<String, Case> CASES =
      Map.ofEntries(
          entry("Cast", new Case(Cast.Value::new, Map.of("spec", "productId:string"))),
          entry("DropHeaders", new Case(DropHeaders::new, Map.of("headers", "__op"))),
          entry("ExtractField", new Case(ExtractField.Value::new, Map.of("field", "name"))),
          entry("Filter", new Case(Filter::new, Map.of())),
          entry("Flatten", new Case(Flatten.Value::new, Map.of())),
          entry(
              "HeaderFrom",
              new Case(
                  HeaderFrom.Value::new,
                  Map.of("fields", "location", "headers", "store", "operation", "copy"))),
          entry("HoistField", new Case(HoistField.Value::new, Map.of("field", "row"))),
          entry("InsertField", new Case(InsertField.Value::new, Map.of("timestamp.field", "seen"))),
          entry(
              "InsertHeader",
              new Case(InsertHeader::new, Map.of("header", "team", "value.literal", "tills"))),
          entry("MaskField", new Case(MaskField.Value::new, Map.of("fields", "name"))),
          entry(
              "RegexRouter",
              new Case(RegexRouter::new, Map.of("regex", "pos\\.(.*)", "replacement", "$1"))),
          entry("ReplaceField", new Case(ReplaceField.Value::new, Map.of("exclude", "extra"))),
          entry(
              "SetSchemaMetadata",
              new Case(SetSchemaMetadata.Value::new, Map.of("schema.name", "com.example.Tea"))),
          entry("TimestampRouter", new Case(TimestampRouter::new, Map.of())),
          entry("ValueToKey", new Case(ValueToKey::new, Map.of("fields", "productId"))));

  /** Those that read the value without asking whether there is one. */
  private static final Set<String> NEED_A_VALUE = Set.of("HeaderFrom", "MaskField", "ValueToKey");

  private final RecordBuilder builder = Fixture.builder(Fixture.products(), EventFormat.FLAT, true);
  private final SourceRecord event =
      Fixture.change(builder, Operation.UPDATE, Row.parse("{\"productId\":5,\"name\":\"Tea\"}"));
  private final SourceRecord tombstone = Fixture.delete(builder).get(0);

  @Test
  void onlyThreeFailAtATombstoneAndOneFillsIt() {
    Set<String> failed = new TreeSet<>();
    Set<String> filled = new TreeSet<>();
    for (String name : CASES.keySet()) {
      try (Transformation<SourceRecord> transform = CASES.get(name).configured()) {
        transform.apply(event);
        SourceRecord passed = transform.apply(tombstone);
        if (passed != null && passed.value() != null) {
          filled.add(name);
        }
      } catch (DataException e) {
        failed.add(name);
      }
    }

    assertThat(tombstone.value()).isNull();
    assertThat(failed).isEqualTo(NEED_A_VALUE);
    assertThat(filled).containsExactly("HoistField");
  }

  @Test
  void predicateKeepsThemFromTombstones() {
    try (RecordIsTombstone<SourceRecord> isTombstone = new RecordIsTombstone<>()) {
      for (String name : NEED_A_VALUE) {
        try (Transformation<SourceRecord> transform = CASES.get(name).configured()) {
          assertThatThrownBy(() -> transform.apply(tombstone)).isInstanceOf(DataException.class);
          // As Connect asks it with negate=true.
          assertThat(!isTombstone.test(tombstone)).isFalse();
          assertThat(!isTombstone.test(event)).isTrue();
          assertThat(transform.apply(event)).isNotNull();
        }
      }
    }
  }

  @Test
  void maskedRowIsStillARow() {
    try (Transformation<SourceRecord> mask = CASES.get("MaskField").configured()) {
      Struct row = (Struct) mask.apply(event).value();

      row.validate();
      assertThat(row.get("name")).isEqualTo("");
      assertThat(row.get("productId")).isEqualTo(5L);
    }
  }

  @ParameterizedTest
  @EnumSource
  void everyRecordHasATimestampToRouteBy(EventFormat format) {
    RecordBuilder records = Fixture.builder(Fixture.products(), format, true);
    List<SourceRecord> deleted = Fixture.delete(records);

    try (Transformation<SourceRecord> router = CASES.get("TimestampRouter").configured()) {
      assertThat(deleted)
          .hasSize(format == EventFormat.FLAT ? 1 : 2)
          .allSatisfy(
              record ->
                  assertThat(router.apply(record).topic()).isEqualTo("pos.products-20260301"));
    }
  }
}
