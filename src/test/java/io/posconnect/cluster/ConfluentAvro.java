package io.posconnect.cluster;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.Conversions;
import org.apache.avro.Schema;
import org.apache.avro.generic.GenericData;
import org.apache.avro.generic.GenericDatumReader;
import org.apache.avro.io.BinaryDecoder;
import org.apache.avro.io.DecoderFactory;

/**
 * Confluent's wire format, by hand: a zero, four bytes that name a schema, and Avro's binary
 * encoding. Decimals come out as {@code BigDecimal}. Safe for several threads.
 */
final class ConfluentAvro {

  private static final byte MAGIC = 0;
  private static final int HEADER = 5;

  private final Registry registry;
  private final GenericData data = new GenericData();
  private final Map<Integer, Schema> schemas = new ConcurrentHashMap<>();

  ConfluentAvro(Registry registry) {
    this.registry = registry;
    data.addLogicalTypeConversion(new Conversions.DecimalConversion());
  }

  /** An {@link IllegalArgumentException} for anything else than one whole message. */
  Object decode(byte[] message) {
    if (message.length < HEADER || message[0] != MAGIC) {
      throw new IllegalArgumentException(
          "not in Confluent's wire format: " + message.length + " bytes");
    }
    int id = ByteBuffer.wrap(message, 1, Integer.BYTES).getInt();
    Schema schema = schemas.computeIfAbsent(id, registry::byId);
    BinaryDecoder decoder =
        DecoderFactory.get().binaryDecoder(message, HEADER, message.length - HEADER, null);
    try {
      Object decoded = new GenericDatumReader<>(schema, schema, data).read(null, decoder);
      if (!decoder.isEnd()) {
        throw new IllegalArgumentException("bytes are left after a message of schema " + id);
      }
      return decoded;
    } catch (IOException e) {
      throw new IllegalArgumentException("broken message of schema " + id, e);
    }
  }
}
