package io.posconnect.record;

import static io.posconnect.record.Fixture.decimal;
import static io.posconnect.record.Fixture.logical;
import static org.assertj.core.api.Assertions.assertThat;

import io.apicurio.registry.utils.converter.avro.AvroData;
import io.posconnect.RandomCases;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.resource.Key;
import io.posconnect.resource.KeyPart;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.apache.avro.generic.GenericDatumWriter;
import org.apache.avro.io.BinaryEncoder;
import org.apache.avro.io.EncoderFactory;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;

/**
 * A key's bytes begin with the number under which a registry knows its schema, so whatever a
 * declaration has beside names and types must not reach it: the same key would go to another
 * partition, and compaction would keep both.
 */
final class KeySchemaTest {

  private static final List<String> KEY_TYPES =
      List.of(
          "\"long\"",
          "\"int\"",
          "\"string\"",
          "\"boolean\"",
          decimal(38, 9),
          decimal(38, 2),
          decimal(20, 9),
          logical("int", "date"),
          logical("int", "time-millis"),
          logical("long", "timestamp-millis"),
          logical("long", "timestamp-micros"),
          logical("string", "uuid"));

  private final AvroData converter = new AvroData(1000);

  /** Declares the same key fields as any other declaration of these parts and types. */
  private static RowSchema declared(
      RandomGenerator random, List<String> keyFields, List<String> types, DecimalMode mode) {
    List<String> fields = new ArrayList<>();
    for (int i = 0; i < keyFields.size(); i++) {
      String name = KeyPart.of(keyFields.get(i)).names().get(0);
      fields.add(field(random, name, types.get(i)));
    }
    for (int i = random.nextInt(4); i > 0; i--) {
      fields.add(field(random, "more" + i, Fixture.one(random, KEY_TYPES)));
    }
    Collections.shuffle(fields, new Random(random.nextLong()));
    String avro =
        "{\"type\":\"record\",\"name\":\"%s\"%s,\"fields\":[%s]}"
            .formatted(
                Fixture.one(random, List.of("Thing", "Article", "com.shop.Thing")),
                random.nextBoolean() ? ",\"doc\":\"d" + random.nextInt(9) + "\"" : "",
                String.join(",", fields));
    return new RowSchema(DeclaredSchemas.parse(avro), keyFields, false, mode, Fixture.NAMES);
  }

  private static String field(RandomGenerator random, String name, String type) {
    String doc = random.nextBoolean() ? ",\"doc\":\"d" + random.nextInt(9) + "\"" : "";
    // An alias of a key field is another value of the key.
    boolean ofKey = !name.startsWith("more");
    String aliases =
        (ofKey ? name.equals("b") : random.nextBoolean())
            ? ",\"aliases\":[\"the-" + name + "\"]"
            : "";
    String spelled =
        switch (random.nextInt(3)) {
          case 0 -> "[\"null\"," + type + "],\"default\":null";
          case 1 -> name.equals("a") && type.equals("\"long\"") ? type + ",\"default\":7" : type;
          default -> type;
        };
    return "{\"name\":\"" + name + "\",\"type\":" + spelled + doc + aliases + "}";
  }

  private static List<String> keyFields(RandomGenerator random) {
    List<String> keyFields = new ArrayList<>(List.of("a"));
    for (String name : List.of("b", "c")) {
      if (random.nextBoolean()) {
        keyFields.add(name + (random.nextInt(3) == 0 ? "?" : ""));
      }
    }
    return keyFields;
  }

  /** As a converter registers it: two texts that differ in a word are two versions. */
  private String registered(RowSchema rowSchema) {
    return converter.fromConnectSchema(rowSchema.key().schema()).toString();
  }

  private byte[] bytes(RowSchema rowSchema, Key key) throws IOException {
    Struct struct = rowSchema.key().struct("downtown", key);
    struct.validate();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    BinaryEncoder encoder = EncoderFactory.get().directBinaryEncoder(out, null);
    new GenericDatumWriter<>(converter.fromConnectSchema(rowSchema.key().schema()))
        .write(converter.fromConnectData(rowSchema.key().schema(), struct), encoder);
    return out.toByteArray();
  }

  @Test
  void nothingButNamesAndTypesReachesAKey() {
    RandomCases.check(
        300,
        random -> {
          List<String> keyFields = keyFields(random);
          List<String> types =
              keyFields.stream().map(name -> Fixture.one(random, KEY_TYPES)).toList();
          DecimalMode mode = Fixture.one(random, List.of(DecimalMode.values()));
          RowSchema one = declared(random, keyFields, types, mode);
          RowSchema other = declared(random, keyFields, types, mode);

          assertThat(registered(other)).isEqualTo(registered(one));
          assertThat(registered(one)).doesNotContain("connect.doc").doesNotContain("default\":7");
          assertThat(other.keyLayout()).isEqualTo(one.keyLayout());
        });
  }

  /** Texts and decimals that are written as texts differ in how the digest spells them. */
  @Test
  void keysThatDifferHaveDifferentLayouts() {
    RandomCases.check(
        600,
        random -> {
          List<RowSchema> two = new ArrayList<>();
          List<List<Boolean>> decimalTexts = new ArrayList<>();
          for (int i = 0; i < 2; i++) {
            List<String> keyFields = keyFields(random);
            List<String> types =
                keyFields.stream().map(name -> Fixture.one(random, KEY_TYPES)).toList();
            DecimalMode mode = Fixture.one(random, List.of(DecimalMode.values()));
            two.add(declared(random, keyFields, types, mode));
            decimalTexts.add(
                types.stream()
                    .map(type -> mode == DecimalMode.STRING && type.contains("decimal"))
                    .toList());
          }

          assertThat(two.get(1).keyLayout().equals(two.get(0).keyLayout()))
              .as("%s and %s", two.get(0).keyLayout(), two.get(1).keyLayout())
              .isEqualTo(
                  registered(two.get(1)).equals(registered(two.get(0)))
                      && decimalTexts.get(1).equals(decimalTexts.get(0)));
        });
  }

  @Test
  void ourContractALargerOneAndEditedDocsGiveTheSameBytes() throws IOException {
    String ours = DeclaredSchemas.builtIn("products").orElseThrow().toString();
    String larger =
        ours.replaceAll(
            "]}$", ",{\"name\":\"sku\",\"type\":[\"null\",\"string\"],\"doc\":\"more\"}]}");
    String edited = ours.replaceAll("\"doc\":\"[^\"]*\"", "\"doc\":\"another\"");
    assertThat(larger).isNotEqualTo(ours);
    assertThat(edited).isNotEqualTo(ours);

    byte[] before = bytes(products(ours), Key.of(5));

    for (String avro : List.of(larger, edited)) {
      assertThat(registered(products(avro))).isEqualTo(registered(products(ours)));
      assertThat(bytes(products(avro), Key.of(5))).isEqualTo(before);
    }
  }

  private static RowSchema products(String avro) {
    return new RowSchema(
        DeclaredSchemas.parse(avro),
        List.of("productId"),
        false,
        DecimalMode.PRECISE,
        SchemaNames.of("io.posconnect", "products"));
  }

  @Test
  void moreSymbolsOfAnEnumAreTheSameKey() {
    String type = "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[%s]}";
    RowSchema few = Fixture.rowSchema(List.of("a"), Fixture.field("a", type.formatted("\"X\"")));
    RowSchema more =
        Fixture.rowSchema(List.of("a"), Fixture.field("a", type.formatted("\"X\",\"Y\"")));

    assertThat(registered(more)).isEqualTo(registered(few));
    assertThat(more.keyLayout()).isEqualTo(few.keyLayout());
  }

  @Test
  void keysOfAllTopicsAreNamesAndTypes() {
    for (TopicSchemas each : Fixture.everyTopic(Destination.EventFormat.FLAT)) {
      assertThat(converter.fromConnectSchema(each.key()).toString())
          .as(each.topic())
          .doesNotContain("doc\"")
          .doesNotContain("parameters\":{\"allowed");
    }
  }
}
