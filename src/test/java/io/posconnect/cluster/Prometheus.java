package io.posconnect.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** A Prometheus that is installed here, scraping and evaluating each second. */
public final class Prometheus implements AutoCloseable {

  private static final Duration START = Duration.ofMinutes(1);

  private final RunFolders run;
  private final Child child;
  private final Rest rest;

  private Prometheus(RunFolders run, Child child, Rest rest) {
    this.run = run;
    this.child = child;
    this.rest = rest;
  }

  /** Finds {@code prometheus} or {@code promtool} on the {@code PATH}. */
  public static Optional<Path> program(String name) {
    return Stream.of(
            Optional.ofNullable(System.getenv("PATH")).orElse("").split(File.pathSeparator))
        .map(folder -> Path.of(folder, name))
        .filter(Files::isExecutable)
        .findFirst();
  }

  /**
   * Starts it and returns once it serves.
   *
   * @param rules of alerts
   * @param target host and port to scrape
   */
  public static Prometheus start(String rules, String target) {
    Path program =
        program("prometheus").orElseThrow(() -> new IllegalStateException("no prometheus"));
    RunFolders run = RunFolders.create("prometheus");
    String address = "127.0.0.1:" + Node.freePort();
    Child child =
        Child.program(
            "prometheus",
            run,
            List.of(
                program.toString(),
                "--config.file=" + configured(run, rules, target),
                "--storage.tsdb.path=" + run.folder("tsdb"),
                "--web.listen-address=" + address));
    Rest rest = new Rest(URI.create("http://" + address));
    Prometheus prometheus = new Prometheus(run, child, rest);
    try {
      child.awaitReady(START, () -> rest.get("/-/ready").ok());
      return prometheus;
    } catch (RuntimeException e) {
      prometheus.close();
      throw e;
    }
  }

  private static Path configured(RunFolders run, String rules, String target) {
    try {
      Files.writeString(run.data().resolve("alerts.yml"), rules);
      return Files.writeString(
          run.data().resolve("prometheus.yml"),
          """
          global:
            scrape_interval: 1s
            evaluation_interval: 1s
          rule_files: [ "alerts.yml" ]
          scrape_configs:
            - job_name: connect
              static_configs:
                - targets: [ "%s" ]
          """
              .formatted(target));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The alerts that are pending or firing now. */
  public JsonNode alerts() {
    return Rest.unwrap(() -> rest.get("/api/v1/alerts")).at("/data/alerts");
  }

  /** The series that an expression gives now. */
  public JsonNode query(String expression) {
    String query = URLEncoder.encode(expression, StandardCharsets.UTF_8);
    return Rest.unwrap(() -> rest.get("/api/v1/query?query=" + query)).at("/data/result");
  }

  @Override
  public void close() {
    child.kill9();
    run.deleteData();
  }
}
