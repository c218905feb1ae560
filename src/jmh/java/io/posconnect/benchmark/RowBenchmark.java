package io.posconnect.benchmark;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.posconnect.change.Change;
import io.posconnect.change.ContentHash;
import io.posconnect.change.Digest;
import io.posconnect.json.BodyLimits;
import io.posconnect.json.JsonRows;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.Commit;
import io.posconnect.record.DeclaredSchemas;
import io.posconnect.record.Destination;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.FieldList;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.record.RecordBuilder;
import io.posconnect.record.RowSchema;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.record.SchemaNames;
import io.posconnect.record.Topics;
import io.posconnect.resource.Key;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Shape;
import io.posconnect.resource.Stream;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.apache.avro.Schema;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** What each step costs between the bytes of a row and its record, in nanoseconds a row. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class RowBenchmark {

  private static final Commit COMMIT =
      new Commit(Map.of("stream", "downtown/products"), Map.of("v", "1"), written -> {});
  private static final Provenance PROVENANCE =
      new Provenance(FetchKind.SNAPSHOT, Instant.EPOCH, true);

  private final byte[] body = ProductRows.list(ProductRows.SAMPLE);
  private final JsonFactory jackson = new JsonFactory();
  private final JsonRows.Factory json = new JsonRows.Factory(BodyLimits.DEFAULT);
  private final ContentHash hash = new ContentHash(Set.of());
  private final List<Row> rows = new ArrayList<>();
  private final List<Key> keys = new ArrayList<>();
  private final long[] hashes = new long[ProductRows.SAMPLE];
  private final Digest known = digest();
  private final RowSchema published = contract("");
  private final RecordBuilder publishedBuilder = builder(published);
  private final RecordBuilder typedBuilder = builder(contract(ProductRows.FIELDS));

  private static Digest digest() {
    return new Digest(Digest.Segments.DEFAULT, new SplittableRandom(1));
  }

  private static RowSchema contract(String fields) {
    Schema declared = DeclaredSchemas.builtIn("products").orElseThrow();
    List<String> more = fields.isEmpty() ? List.of() : List.of(fields.split(",", -1));
    return new RowSchema(
        FieldList.added(declared, more),
        List.of("productId"),
        false,
        DecimalMode.PRECISE,
        SchemaNames.of(SchemaNames.DEFAULT_NAMESPACE, "products"));
  }

  private static RecordBuilder builder(RowSchema contract) {
    Destination destination =
        new Destination(
            new Stream("downtown", "products"),
            new Topics("pos", "pos.products", "pos.checkpoints", "pos.status", "pos.dead-letters"),
            EventFormat.ENVELOPE,
            true);
    return new RecordBuilder(contract, destination, InstantSource.system());
  }

  /** The rows, and a digest that knows them. */
  @Setup
  public void read() throws IOException, BrokenRowException {
    JsonRows all = json.rows(new ByteArrayInputStream(body), Shape.ARRAY, Privacy.NONE);
    for (Optional<Row> row = all.next(); row.isPresent(); row = all.next()) {
      Key key = published.keyOf(row.orElseThrow());
      long content = hash.of(row.orElseThrow());
      hashes[rows.size()] = content;
      rows.add(row.orElseThrow());
      keys.add(key);
      known.classify(key, content);
    }
  }

  /** The measure: a parser reads every value of the same bytes. */
  @Benchmark
  @OperationsPerInvocation(ProductRows.SAMPLE)
  public void jacksonAlone(Blackhole hole) throws IOException {
    try (JsonParser parser = jackson.createParser(body)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        hole.consume(token.isScalarValue() ? parser.getTextLength() : 0);
      }
    }
  }

  /** Cutting is part of it. */
  @Benchmark
  @OperationsPerInvocation(ProductRows.SAMPLE)
  public void cutAndParse(Blackhole hole) throws IOException {
    JsonRows all = json.rows(new ByteArrayInputStream(body), Shape.ARRAY, Privacy.NONE);
    for (Optional<Row> row = all.next(); row.isPresent(); row = all.next()) {
      hole.consume(row);
    }
  }

  @Benchmark
  @OperationsPerInvocation(ProductRows.SAMPLE)
  public void readKey(Blackhole hole) throws BrokenRowException {
    for (Row row : rows) {
      hole.consume(published.keyOf(row));
    }
  }

  @Benchmark
  @OperationsPerInvocation(ProductRows.SAMPLE)
  public void hash(Blackhole hole) {
    for (Row row : rows) {
      hole.consume(hash.of(row));
    }
  }

  @Benchmark
  @OperationsPerInvocation(ProductRows.SAMPLE)
  public void classifyUnchanged(Blackhole hole) {
    for (int i = 0; i < hashes.length; i++) {
      Change change = known.classify(keys.get(i), hashes[i]);
      hole.consume(change);
    }
  }

  @Benchmark
  @OperationsPerInvocation(ProductRows.SAMPLE)
  public void classifyNew(Blackhole hole) {
    Digest digest = digest();
    for (int i = 0; i < hashes.length; i++) {
      hole.consume(digest.classify(keys.get(i), hashes[i]));
    }
  }

  @Benchmark
  @OperationsPerInvocation(ProductRows.SAMPLE)
  public void buildDefault(Blackhole hole) {
    build(publishedBuilder, hole);
  }

  @Benchmark
  @OperationsPerInvocation(ProductRows.SAMPLE)
  public void buildTyped(Blackhole hole) {
    build(typedBuilder, hole);
  }

  private void build(RecordBuilder builder, Blackhole hole) {
    for (int i = 0; i < hashes.length; i++) {
      hole.consume(builder.change(Operation.READ, keys.get(i), rows.get(i), PROVENANCE, COMMIT));
    }
  }
}
