package io.posconnect.record;

import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.List;
import java.util.Map;

/** Contracts and builders that several tests start from. */
final class Fixture {

  static final SchemaNames NAMES = SchemaNames.of("pos", "things");
  static final Instant SEEN = Instant.parse("2026-03-01T10:00:07Z");
  static final Provenance INCREMENT =
      new Provenance(FetchKind.INCREMENT, Instant.parse("2026-03-01T10:00:00Z"), false);
  static final Map<String, String> PARTITION = Map.of("stream", "downtown/products/64/3");
  static final Map<String, String> OFFSET = Map.of("v", "1");
  static final List<String> LOYALTY_KEY =
      List.of(
          "locId",
          "customerId",
          "transactionDateUtc",
          "transactionType",
          "registerTransactionId",
          "points");

  private Fixture() {}

  /** A contract whose Avro fields are the given JSON texts, keyed by the given fields. */
  static Contract contract(List<String> keys, String... fields) {
    return contract(DecimalMode.PRECISE, keys, fields);
  }

  static Contract contract(DecimalMode decimals, List<String> keys, String... fields) {
    return Contract.of(record(fields), keys, false, decimals, NAMES);
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

  static Contract products() {
    return builtIn("products", "productId");
  }

  static Contract builtIn(String resource, String... keys) {
    return Contract.of(
        Contract.builtIn(resource).orElseThrow(),
        List.of(keys),
        false,
        DecimalMode.PRECISE,
        SchemaNames.of("pos", resource));
  }

  static Contract loyalty() {
    return Contract.of(
        Contract.builtIn("loyalty-transactions").orElseThrow(),
        LOYALTY_KEY,
        true,
        DecimalMode.PRECISE,
        SchemaNames.of("pos", "loyalty-transactions"));
  }

  static RecordBuilder builder(Contract contract, EventFormat format, boolean tombstones) {
    Destination destination =
        new Destination(
            new Stream("downtown", "products"),
            "1.2.3",
            "pos",
            "pos.products",
            "pos.checkpoints",
            "pos.dead-letters",
            format,
            tombstones);
    return new RecordBuilder(contract, destination, () -> SEEN);
  }
}
