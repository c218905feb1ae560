package io.posconnect.acceptance;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;

/** The page that says on which workers the archive was run, and what was seen there. */
final class VersionsPage {

  private static final Path PAGE = Path.of("docs", "versions.md");

  private static final String HEAD =
      """
      # Versions

      The same archive on workers of several versions of Kafka, all with a broker of Kafka %s. This page is written by \
      `mvn -B verify -Pversions`, which boots each of these workers and fails if one of them does less than is said here.

      | worker | Java | Kafka's API | snapshot | changes | `kill -9` | metrics | offsets | the worker has not |
      |---|---|---|---|---|---|---|---|---|
      """;

  private static final String FOOT =
      """

      * **Kafka's API**: how many different classes, methods and fields of Kafka the archive names. All are there.
      * **snapshot**: events of the first full read, equal to what the service holds, delivered exactly once.
      * **changes**, **`kill -9`**: events while the location was busy, and how often its worker was killed meanwhile; none was \
      missed or repeated.
      * **metrics**: what each stream shows in JMX.
      * **offsets**: shown; a watermark set back, which repeated nothing; deleted, which emitted every row again, once.
      * **the worker has not**: what these pages speak of and this worker does without. Instead of `PATCH` take `PUT` with the \
      whole configuration. Without `GET /health` ask for `/connectors`, which is answered once the worker has joined. Without \
      `allowed.paths` connectors may read any file that the worker can read: see [security](security.md).
      """;

  private VersionsPage() {}

  /**
   * What was seen on one worker.
   *
   * @param references of the archive to Kafka's classes, all found
   * @param snapshot events of the first full read
   * @param changes events after it
   * @param kills how often the worker was killed meanwhile
   * @param metrics of each stream
   * @param missing what the worker has not, in words
   */
  record Row(
      String version,
      int java,
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
          version,
          java,
          references,
          snapshot,
          changes,
          kills,
          metrics,
          String.join(", ", missing));
    }
  }

  static void write(String broker, List<Row> rows) throws IOException {
    StringBuilder text = new StringBuilder(HEAD.formatted(broker));
    rows.forEach(text::append);
    Files.writeString(PAGE, text.append(FOOT));
  }
}
