package io.posconnect.tool;

import io.apicurio.registry.utils.converter.avro.AvroData;
import io.posconnect.tool.TopicSource.UnreadableException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaAndValue;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.json.JsonConverter;
import org.jspecify.annotations.Nullable;

/**
 * Decodes keys and values: Confluent's wire format (a zero byte, four bytes with the number of the
 * writer's schema, Avro), and Kafka's JSON with or without a schema. For one thread.
 */
final class RecordDecoder {

  private static final int PREFIX = 5;
  private static final byte[] WITH_SCHEMA = "{\"schema\":{".getBytes(StandardCharsets.UTF_8);
  private static final int CACHE = 1_000;

  private final IntFunction<Optional<org.apache.avro.Schema>> writers;
  private final AvroData avro = new AvroData(CACHE);
  private final Map<Integer, Optional<GenericDatumReader<Object>>> readers = new HashMap<>();
  private final JsonConverter json = converter("");
  private final Map<Schema, JsonConverter> bare = new HashMap<>();

  /**
   * @param writers finds the schema with a number, and is asked for each once
   */
  RecordDecoder(IntFunction<Optional<org.apache.avro.Schema>> writers) {
    this.writers = writers;
  }

  /**
   * Decodes a record.
   *
   * @param expected schema of JSON that brings none
   * @param bytes null for a tombstone
   * @return empty for a tombstone, and for bytes that are no record of a known form; the reason
   *     would quote them
   * @throws UnreadableException when the registry lacks their schema
   */
  Optional<Struct> decode(byte @Nullable [] bytes, Schema expected) {
    if (bytes == null) {
      return Optional.empty();
    }
    try {
      SchemaAndValue decoded =
          bytes.length >= PREFIX && bytes[0] == 0
              ? avro(bytes)
              : json(bytes, expected).toConnectData("", bytes);
      return decoded.value() instanceof Struct struct ? Optional.of(struct) : Optional.empty();
    } catch (EndedException | UnreadableException e) {
      throw e;
    } catch (IOException | RuntimeException e) {
      return Optional.empty(); // whatever a library throws at bytes that are not ours
    }
  }

  private SchemaAndValue avro(byte[] bytes) throws IOException {
    int id = ByteBuffer.wrap(bytes, 1, Integer.BYTES).getInt();
    GenericDatumReader<Object> reader =
        readers
            .computeIfAbsent(id, number -> writers.apply(number).map(GenericDatumReader::new))
            .orElseThrow(
                () ->
                    new UnreadableException(
                        "The registry has no schema %s of a record. It has lost its schemas, or is not"
                                .formatted(id)
                            + " the one that the connector's converter writes to"));
    BinaryDecoder decoder =
        DecoderFactory.get().binaryDecoder(bytes, PREFIX, bytes.length - PREFIX, null);
    return avro.toConnectData(reader.getSchema(), reader.read(null, decoder));
  }

  private JsonConverter json(byte[] bytes, Schema expected) {
    return Arrays.mismatch(bytes, WITH_SCHEMA) == WITH_SCHEMA.length
        ? json
        : bare.computeIfAbsent(expected, schema -> converter(json.asJsonSchema(schema).toString()));
  }

  /** A converter of JSON with that schema; where it is empty, each record brings its own. */
  private static JsonConverter converter(String content) {
    JsonConverter converter = new JsonConverter(false);
    converter.configure(
        Map.of("converter.type", "value", "schemas.enable", "true", "schema.content", content));
    return converter;
  }
}
