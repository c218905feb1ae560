package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.KafkaRelease;
import io.posconnect.cluster.MetricsWitness;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The archive on workers of older versions, with the newest broker, and on a newer Java. Only the
 * profile {@code versions} lays those workers out; {@code -Dworker.versions=3.6.2,4.0.0} runs some
 * of them, and {@code -Djdk25.home} or the variable {@code JDK25_HOME} says where the newer Java
 * is. Each writes its row of the page of versions.
 */
@EnabledIfSystemProperty(named = "worker.versions", matches = ".+")
class WorkerVersionsIT {

  private static final Path PAGE = Path.of("docs", "versions.md");
  private static final String ALL = "all";
  private static final String CHOSEN = System.getProperty("worker.versions", ALL);

  /** Workers that are also run on the newer Java. */
  private static final Set<String> ON_NEWER_JAVA =
      Set.of("3.9.2", KafkaRelease.current().version());

  @TempDir private Path folder;

  static List<KafkaRelease> releases() {
    List<KafkaRelease> all = KafkaRelease.provisioned();
    Stream<KafkaRelease> newer =
        newerJava().stream()
            .flatMap(
                jdk ->
                    all.stream()
                        .filter(release -> ON_NEWER_JAVA.contains(release.version()))
                        .map(release -> release.on(jdk)));
    return Stream.concat(all.stream(), newer)
        .filter(
            release -> CHOSEN.equals(ALL) || List.of(CHOSEN.split(",")).contains(release.version()))
        .toList();
  }

  private static Optional<Path> newerJava() {
    return Stream.of(System.getProperty("jdk25.home"), System.getenv("JDK25_HOME"))
        .filter(home -> home != null && !home.isBlank())
        .map(Path::of)
        .findFirst();
  }

  @ParameterizedTest
  @MethodSource("releases")
  void everyWorkerVersionRunsTheArchive(KafkaRelease release) throws Exception {
    String head = "| %s | %d | ".formatted(release.version(), release.java());
    // A worker that fails loses the figures of its row.
    put(head, "failed |");
    MetricsWitness witness = MetricsWitness.in(folder);
    ClusterOptions options = ClusterOptions.of("versions").withWorkerRelease(release);
    try (Cluster cluster = Cluster.start(witness.watching(options))) {
      put(head, new WorkerTrial(release, cluster, witness).run());
    }
  }

  /** Replaces the rest of that row of the page, which has one for each worker. */
  private static void put(String head, String rest) throws IOException {
    String page = Files.readString(PAGE);
    assertThat(page).as("a row of %s for this worker", PAGE).containsOnlyOnce(head);
    Files.writeString(
        PAGE, page.replaceFirst(Pattern.quote(head) + ".*", Matcher.quoteReplacement(head + rest)));
  }

  @BeforeAll
  static void sayWhatIsLeftOut() {
    if (newerJava().isEmpty()) {
      System.out.println("not run on Java 25: neither jdk25.home nor JDK25_HOME says where it is");
    }
  }
}
