import io.apicurio.registry.serde.avro.AvroSerde;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Properties;
import org.apache.avro.LogicalTypes;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericRecord;
import org.apache.kafka.common.serialization.Serdes;
import org.apache.kafka.streams.KafkaStreams;
import org.apache.kafka.streams.KeyValue;
import org.apache.kafka.streams.StreamsBuilder;
import org.apache.kafka.streams.StreamsConfig;
import org.apache.kafka.streams.Topology;
import org.apache.kafka.streams.kstream.Consumed;
import org.apache.kafka.streams.kstream.KTable;

/**
 * Keeps the value of each location's stock in the topic {@code <topic.prefix>.stock-value}: every
 * quantity of the inventory times the price of its product. The connector types what it reads:
 * {@code resources.inventory.fields=productId:long,quantityAvailable:decimal}.
 */
public final class StockValue {

  private StockValue() {}

  /** Takes the brokers, Apicurio Registry ({@code …/apis/registry/v2}) and the topic prefix. */
  public static void main(String... arguments) {
    Properties settings = new Properties();
    settings.put(StreamsConfig.APPLICATION_ID_CONFIG, arguments[2] + "-stock-value");
    settings.put(StreamsConfig.BOOTSTRAP_SERVERS_CONFIG, arguments[0]);
    // Reads committed events only, and counts each once.
    settings.put(StreamsConfig.PROCESSING_GUARANTEE_CONFIG, StreamsConfig.EXACTLY_ONCE_V2);
    settings.put("auto.offset.reset", "earliest");
    // Of what is kept between the steps, which is text.
    settings.put(StreamsConfig.DEFAULT_KEY_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    settings.put(StreamsConfig.DEFAULT_VALUE_SERDE_CLASS_CONFIG, Serdes.StringSerde.class);
    KafkaStreams streams = new KafkaStreams(topology(arguments[1], arguments[2]), settings);
    Runtime.getRuntime().addShutdownHook(new Thread(streams::close));
    streams.start();
  }

  /** The settings with which the connector's converter writes. */
  private static AvroSerde<GenericRecord> avro(String registry, boolean key) {
    AvroSerde<GenericRecord> serde = new AvroSerde<>();
    serde.configure(
        Map.of(
            "apicurio.registry.url", registry,
            "apicurio.registry.as-confluent", "true",
            "apicurio.registry.use-id", "contentId",
            "apicurio.registry.headers.enabled", "false"),
        key);
    return serde;
  }

  private static Topology topology(String registry, String prefix) {
    StreamsBuilder builder = new StreamsBuilder();
    Consumed<GenericRecord, GenericRecord> events =
        Consumed.with(avro(registry, true), avro(registry, false));
    // The keys of two topics have different schemas, and so different bytes: both become text.
    KTable<String, String> prices =
        builder.stream(prefix + ".products", events)
            .map((key, event) -> KeyValue.pair(id(key, "productId"), field(event, "price")))
            .toTable();

    // Of each line the product and the quantity.
    KTable<String, String> stock =
        builder.stream(prefix + ".inventory", events)
            .map((key, event) -> KeyValue.pair(id(key, "inventoryId"), line(event)))
            .toTable();

    stock
        .join(prices, line -> line.split(" ")[0], StockValue::value)
        .groupBy((line, value) -> KeyValue.pair(line.substring(0, line.lastIndexOf('/')), value))
        .aggregate(
            () -> "0",
            (location, value, sum) -> new BigDecimal(sum).add(new BigDecimal(value)).toString(),
            (location, value, sum) ->
                new BigDecimal(sum).subtract(new BigDecimal(value)).toString())
        .toStream()
        .to(prefix + ".stock-value");
    return builder.build();
  }

  private static String id(GenericRecord row, String field) {
    return row.get("location") + "/" + row.get(field);
  }

  /** Null of a tombstone, of a delete, and of a row that lacks one of the two. */
  private static String line(GenericRecord event) {
    String product = field(event, "productId");
    String quantity = field(event, "quantityAvailable");
    return product == null || quantity == null
        ? null
        : id((GenericRecord) event.get("after"), "productId") + " " + quantity;
  }

  private static String value(String line, String price) {
    return new BigDecimal(line.split(" ")[1]).multiply(new BigDecimal(price)).toString();
  }

  private static String field(GenericRecord event, String name) {
    GenericRecord row = event == null ? null : (GenericRecord) event.get("after");
    Object value = row == null ? null : row.get(name);
    if (!(value instanceof ByteBuffer bytes)) {
      return value == null ? null : value.toString();
    }
    byte[] unscaled = new byte[bytes.remaining()];
    bytes.duplicate().get(unscaled);
    Schema decimal = row.getSchema().getField(name).schema().getTypes().get(1);
    int scale = ((LogicalTypes.Decimal) decimal.getLogicalType()).getScale();
    return new BigDecimal(new BigInteger(unscaled), scale).toString();
  }
}
