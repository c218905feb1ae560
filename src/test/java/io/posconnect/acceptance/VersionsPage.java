package io.posconnect.acceptance;

import io.posconnect.cluster.KafkaRelease;
import java.io.IOException;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The page that says on which workers the archive was run, and what was seen there. A worker that
 * is tried again loses its row and gets another one only when all is well; the other rows stay.
 */
final class VersionsPage {

  private static final Path PAGE = Path.of("docs", "versions.md");

  private static final Pattern ROW = Pattern.compile("(?m)^\\| (\\d[\\d.]+) \\| (\\d+) \\|.*\\R");

  private static final String HEAD =
      """
      # Versions

      The same archive on workers of several versions of Kafka, all with a broker of Kafka %s. `mvn -B verify -Pversions` writes \
      this page: it starts each of these workers and fails if one of them does less than this page says.

      | worker | Java | Kafka's API | snapshot | changes | `kill -9` | metrics | offsets | the worker has not |
      |---|---|---|---|---|---|---|---|---|
      """;

  private static final String FOOT =
      """

      * **Kafka's API**: how many classes, methods and fields of Kafka the archive uses. Each worker has all of them.
      * **snapshot**: events of the snapshot. They equal the rows at the service and were delivered exactly once.
      * **changes**, **`kill -9`**: events while the location was busy, and how often its worker was killed meanwhile. None was \
      missed or repeated.
      * **metrics**: metrics of each stream in JMX.
      * **offsets**: shown; a watermark set back, which repeated nothing; deleted, which emitted every row again, once.
      * **the worker has not**: features that our pages and files use and this worker lacks. Instead of `PATCH` use `PUT` with \
      the whole configuration. Without `GET /health` request `/connectors`, which answers once the worker has joined its group. \
      Without `allowed.paths` connectors can read every file that the worker can read: see [Security](security.md).
      """;

  private VersionsPage() {}

  /**
   * The result of one worker.
   *
   * @param references of the archive to Kafka's classes, all found
   * @param snapshot events of the first full read
   * @param changes events after it
   * @param kills how often the worker was killed meanwhile
   * @param metrics of each stream
   * @param missing what the worker has not, in words
   */
  record Row(
      KafkaRelease worker,
      int references,
      int snapshot,
      int changes,
      int kills,
      int metrics,
      List<String> missing) {

    @Override
    public String toString() {
      return String.format(
          Locale.ROOT,
          "| %s | %d | %d | %,d | %,d | %d | %d | shown, set, deleted | %s |%n",
          worker.version(),
          worker.java(),
          references,
          snapshot,
          changes,
          kills,
          metrics,
          missing.isEmpty() ? "all there" : String.join(", ", missing));
    }
  }

  /** A row's place on the page. */
  private record Place(Version version, int java) {
    static final Comparator<Place> ORDER =
        Comparator.comparing(Place::version).thenComparingInt(Place::java);

    static Place of(KafkaRelease worker) {
      return new Place(Version.parse(worker.version()), worker.java());
    }

    static Place of(MatchResult row) {
      return new Place(Version.parse(row.group(1)), Integer.parseInt(row.group(2)));
    }
  }

  static void put(Row row) throws IOException {
    Map<Place, String> rows = rows();
    rows.put(Place.of(row.worker), row.toString());
    write(rows);
  }

  static void remove(KafkaRelease worker) throws IOException {
    Map<Place, String> rows = rows();
    rows.remove(Place.of(worker));
    write(rows);
  }

  private static Map<Place, String> rows() throws IOException {
    Map<Place, String> rows = new TreeMap<>(Place.ORDER);
    if (Files.exists(PAGE)) {
      Matcher row = ROW.matcher(Files.readString(PAGE));
      while (row.find()) {
        rows.put(Place.of(row.toMatchResult()), row.group());
      }
    }
    return rows;
  }

  private static void write(Map<Place, String> rows) throws IOException {
    StringBuilder text = new StringBuilder(HEAD.formatted(KafkaRelease.current().version()));
    rows.values().forEach(text::append);
    Files.writeString(PAGE, text.append(FOOT));
  }
}
