package io.posconnect.cluster;

import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** A registry that keeps its schemas in a file, so that they survive a restart. */
final class ProcessRegistry extends ProcessNode implements Registry {

  private static final Duration START = Duration.ofMinutes(2);

  private final int port;
  private final Path database;

  private ProcessRegistry(Run run, int port) {
    super("registry", run);
    this.port = port;
    this.database = run.folder("registry-" + port).resolve("schemas");
  }

  static Registry start(Run run) {
    return started(() -> new ProcessRegistry(run, Ports.free(1).get(0)));
  }

  @Override
  Jvm jvm() {
    return Jvm.jar(
            "384m",
            Artefacts.registry(),
            Map.of(
                "quarkus.http.host",
                "127.0.0.1",
                "quarkus.http.port",
                Integer.toString(port),
                "apicurio.datasource.url",
                // Or what was registered less than a second before a stop may be gone after it.
                "jdbc:h2:file:" + database + ";WRITE_DELAY=0"))
        .with("-XX:TieredStopAtLevel=1");
  }

  @Override
  void awaitReady(Child started) {
    Rest rest = new Rest(confluentUrl());
    started.awaitReady(START, () -> rest.get("/subjects").ok());
  }

  @Override
  public URI url() {
    return URI.create("http://127.0.0.1:" + port);
  }
}
