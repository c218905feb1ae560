package io.posconnect.fetch;

import static io.posconnect.benchmark.ResultsPage.row;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import io.posconnect.benchmark.ProductRows;
import io.posconnect.benchmark.ResultsPage;
import io.posconnect.change.Digest;
import io.posconnect.hostile.Answer;
import io.posconnect.json.BodyLimits;
import io.posconnect.json.JsonRows;
import io.posconnect.json.Row;
import io.posconnect.offset.DigestScope;
import io.posconnect.offset.Snapshot;
import io.posconnect.offset.StreamContext;
import io.posconnect.offset.StreamOffset;
import io.posconnect.record.DeclaredSchemas;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.record.RowSchema;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.record.SchemaNames;
import io.posconnect.resource.Counts.Count;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Shape;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.zip.GZIPInputStream;
import org.junit.jupiter.api.Test;

/**
 * What an unchanged row costs, beside a parser that reads the same bytes: processor time of one
 * thread, all contestants in turns in one JVM, so that ratios also hold on a machine that does
 * something else.
 */
public class UnchangedRowsRun {

  private static final int ROUNDS = Integer.getInteger("rounds", 60);
  private static final int VARIANTS = 8;
  private static final int CHANGED = 1_000;
  private static final int STREAMS = Integer.getInteger("streams", 200);
  private static final int ROWS = 5_000;
  private static final String JACKSON = "Jackson alone";
  private static final String FEW_CHANGED = "a thousandth changed";
  private static final StreamSettings SETTINGS =
      DrivenStream.list(List::of).maxKeys(1_000_000).settings();

  private final JsonFactory jackson = new JsonFactory();
  private final JsonRows.Factory json = new JsonRows.Factory(BodyLimits.DEFAULT);

  /** One read of a body by somebody. */
  private interface Reader {
    long read(InputStream body) throws IOException, InterruptedException;
  }

  private long jacksonAlone(InputStream body) throws IOException {
    long read = 0;
    try (JsonParser parser = jackson.createParser(body)) {
      for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
        read += token.isScalarValue() ? parser.getTextLength() : 0;
      }
    }
    return read;
  }

  /** The fetcher's loop, without its client. */
  private final class Stream implements Reader {
    private final boolean knows;
    private final Digest digest = new Digest(Digest.Segments.DEFAULT, new SplittableRandom(1));
    private final Pass pass;
    private final ChangeEmitter emitter;
    private final Buffer buffer = new Buffer(Integer.MAX_VALUE, Long.MAX_VALUE / 2, false);

    private Stream(boolean knows) {
      this.knows = knows;
      RowSchema contract =
          new RowSchema(
              DeclaredSchemas.builtIn("products").orElseThrow(),
              List.of("productId"),
              false,
              DecimalMode.PRECISE,
              SchemaNames.of(SchemaNames.DEFAULT_NAMESPACE, "products"));
      pass = new Pass(SETTINGS, digest);
      emitter =
          new ChangeEmitter(
              SETTINGS,
              contract,
              digest,
              pass,
              new StreamOutput(
                  start(),
                  digest,
                  Things.records(contract, Things.DESTINATION, new SimulatedTime(0)),
                  buffer));
    }

    @Override
    public long read(InputStream body) throws IOException, InterruptedException {
      Reconciliation reconciliation = new Reconciliation(Instant.EPOCH);
      Fetch fetch =
          new Fetch(FetchKind.RECONCILIATION, Window.ALL, SETTINGS.resource(), reconciliation);
      pass.responseBegins(
          fetch, new ServerTime.Moment(0, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH));
      JsonRows rows = json.rows(body, Shape.ARRAY, Privacy.NONE);
      boolean more = true;
      while (more) {
        boolean passed = knows && rows.skip(emitter.known(fetch));
        Optional<Row> row = passed ? Optional.empty() : rows.next();
        more = passed || row.isPresent();
        if (row.isPresent()) {
          emitter.accept(row.get(), fetch);
        }
      }
      emitter.end(fetch, true);
      buffer.drain(Integer.MAX_VALUE, Duration.ZERO);
      return fetch.counts().get(Count.SUPPRESSED);
    }
  }

  private static StreamOffset start() {
    return StreamOffset.start(
        StreamContext.of(
            Snapshot.first(""),
            new DigestScope("pos.products", "", "", "products", ""),
            Numbering.NONE));
  }

  private static List<String> rows(int count) {
    String list = new String(ProductRows.list(count), StandardCharsets.US_ASCII);
    return new ArrayList<>(
        Arrays.asList(list.substring(1, list.length() - 1).split("(?<=\\}),(?=\\{)")));
  }

  private static byte[] body(List<String> rows) {
    return ("[" + String.join(",", rows) + "]").getBytes(StandardCharsets.US_ASCII);
  }

  /** What happens to a list between two reads. */
  private static List<byte[]> variants(int count, boolean shuffled, int changed) {
    List<String> rows = rows(count);
    Random random = new Random(1);
    List<byte[]> variants = new ArrayList<>();
    for (int i = 0; i < VARIANTS; i++) {
      if (shuffled) {
        Collections.shuffle(rows, random);
      }
      for (int row = i; changed > 0 && row < rows.size(); row += changed) {
        rows.set(row, rows.get(row).replaceFirst("\"revision\":\\d+", "\"revision\":" + (900 + i)));
      }
      variants.add(body(rows));
    }
    return variants;
  }

  /**
   * Processor time of one thread for a row.
   *
   * @param lists how many streams have such a list, and how its bytes come
   * @param rows what happens to the list from read to read
   * @param jackson what the parser alone takes for the same bytes
   */
  private record Micros(String lists, String rows, double ours, double jackson) {

    /** Our speed, and its part of the parser's. */
    private double ratio() {
      return jackson / ours;
    }

    /** The part of a core that 1,000 streams of 5,000 rows a minute take. */
    private double core() {
      return ours * ROWS * 1_000 / 60e6;
    }

    private static Micros middle(List<Micros> rounds) {
      return rounds.stream()
          .sorted(Comparator.comparing(Micros::ratio))
          .toList()
          .get(rounds.size() / 2);
    }
  }

  @Test
  void measuresUnchangedRowsBesideTheParser() throws IOException, InterruptedException {
    List<Micros> all = new ArrayList<>(ofOneStream());
    all.addAll(ofManyStreams());
    Path page = Path.of("docs", "performance.md");
    String report = ResultsPage.withEarlierRatios(table(all), Files.readString(page));
    System.out.println(report);
    if ("write".equals(System.getProperty("benchmark"))) {
      ResultsPage.write(page, "unchanged rows", report);
    }
  }

  private static String table(List<Micros> all) {
    StringBuilder text = new StringBuilder("### Unchanged rows\n\n");
    text.append(row(List.of("lists", "rows", "µs a row", "Jackson", "ratio", "part of a core")));
    text.append(row(Collections.nCopies(6, "---")));
    all.forEach(
        it ->
            text.append(
                row(
                    List.of(
                        it.lists(),
                        it.rows(),
                        String.format("%.2f", it.ours()),
                        String.format("%.2f", it.jackson()),
                        String.format("**%.2f**", it.ratio()),
                        String.format("%.3f", it.core())))));
    return text.toString();
  }

  /** Measures a list that the processor's caches hold in part; of each reader, its middle round. */
  private List<Micros> ofOneStream() throws IOException, InterruptedException {
    List<byte[]> inOrder = variants(ProductRows.SAMPLE, false, 0);
    Map<String, List<byte[]>> bodies = new LinkedHashMap<>();
    Map<String, Reader> readers = new LinkedHashMap<>();
    bodies.put(JACKSON, inOrder);
    readers.put(JACKSON, this::jacksonAlone);
    bodies.put("unchanged, but every row is parsed", inOrder);
    readers.put("unchanged, but every row is parsed", new Stream(false));
    bodies.put("unchanged, in order", inOrder);
    readers.put("unchanged, in order", new Stream(true));
    bodies.put(FEW_CHANGED, variants(ProductRows.SAMPLE, false, CHANGED));
    readers.put(FEW_CHANGED, new Stream(true));
    bodies.put("unchanged, shuffled", variants(ProductRows.SAMPLE, true, 0));
    readers.put("unchanged, shuffled", new Stream(true));
    Map<String, long[]> nanos = new LinkedHashMap<>();
    for (int round = -ROUNDS / 2; round < ROUNDS; round++) {
      for (String name : readers.keySet()) {
        byte[] body = bodies.get(name).get(Math.floorMod(round, VARIANTS));
        long before = processorNanos();
        assertThat(readers.get(name).read(new ByteArrayInputStream(body))).isNotNegative();
        long took = processorNanos() - before;
        if (round >= 0) {
          nanos.computeIfAbsent(name, n -> new long[ROUNDS])[round] = took;
        }
      }
    }
    Map<String, Double> micros = new LinkedHashMap<>();
    nanos.forEach(
        (name, each) -> {
          Arrays.sort(each);
          micros.put(name, each[ROUNDS / 2] / 1e3 / ProductRows.SAMPLE);
        });
    double jackson = Objects.requireNonNull(micros.remove(JACKSON));
    return micros.entrySet().stream()
        .map(it -> new Micros("one stream, plain", it.getKey(), it.getValue(), jackson))
        .toList();
  }

  private static long processorNanos() {
    return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
  }

  /**
   * Measures lists of more streams than a processor's caches hold, plain and compressed; of several
   * rounds, the one whose ratio is in the middle. The compressed list of a round shows the same
   * rows as the plain one, and the parsers inflate theirs too.
   */
  private List<Micros> ofManyStreams() throws IOException, InterruptedException {
    List<byte[]> plain = variants(ROWS, false, CHANGED);
    List<Reader> streams = new ArrayList<>();
    for (int i = 0; i < STREAMS; i++) {
      streams.add(new Stream(true));
    }
    List<Reader> parsers = Collections.nCopies(STREAMS, this::jacksonAlone);
    Map<String, List<Micros>> rounds = new LinkedHashMap<>();
    for (int round = 0; round < VARIANTS; round++) {
      for (String form : List.of("plain", "gzip")) {
        boolean compressed = form.equals("gzip");
        byte[] body = compressed ? Answer.packed(plain.get(round)) : plain.get(round);
        double measure = micros(parsers, body, compressed);
        Micros micros =
            new Micros(
                STREAMS + " streams, " + form,
                FEW_CHANGED,
                micros(streams, body, compressed),
                measure);
        // The first two reads parse every row, and know only then.
        if (round > 1) {
          rounds.computeIfAbsent(form, each -> new ArrayList<>()).add(micros);
        }
      }
    }
    return rounds.values().stream().map(Micros::middle).toList();
  }

  private static double micros(List<Reader> readers, byte[] body, boolean compressed)
      throws IOException, InterruptedException {
    long before = processorNanos();
    for (Reader reader : readers) {
      InputStream bytes = new ByteArrayInputStream(body);
      assertThat(reader.read(compressed ? new GZIPInputStream(bytes, 8 * 1024) : bytes))
          .isNotNegative();
    }
    return (processorNanos() - before) / 1e3 / ROWS / readers.size();
  }
}
