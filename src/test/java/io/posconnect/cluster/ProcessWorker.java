package io.posconnect.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.IntFunction;
import java.util.stream.Stream;

/** A worker, on the same port for its whole life. */
final class ProcessWorker extends ProcessNode implements Worker {

  private static final Duration START = Duration.ofMinutes(2);

  private final int port;
  private final String heap;
  private final Path settings;

  private ProcessWorker(
      String name, Run run, String heap, IntFunction<Map<String, String>> settings, int port) {
    super(name, run);
    this.port = port;
    this.heap = heap;
    this.settings = run.settings(name + ".properties", settings.apply(port));
  }

  /** Starts one whose settings depend on its port. */
  static Worker start(
      String name, Run run, String heap, IntFunction<Map<String, String>> settings) {
    return started(() -> new ProcessWorker(name, run, heap, settings, Ports.free(1).get(0)));
  }

  @Override
  Jvm jvm() {
    return Jvm.kafka(heap, "org.apache.kafka.connect.cli.ConnectDistributed", settings.toString())
        .with(
            "-Xlog:gc:file="
                + run.logs().resolve(name() + "." + System.currentTimeMillis() + ".gc")
                + "::filecount=0");
  }

  @Override
  void awaitReady(Child started) {
    Rest rest = new Rest(restUrl());
    started.awaitReady(START, () -> rest.get("/health").ok());
  }

  @Override
  public URI restUrl() {
    return URI.create("http://127.0.0.1:" + port);
  }

  @Override
  public Path log() {
    return run.logs().resolve(name() + ".log");
  }

  @Override
  public HeapUse heap() {
    try (Stream<Path> logs = Files.list(run.logs())) {
      return logs.filter(this::isGcLog).map(HeapUse::read).reduce(HeapUse.NONE, HeapUse::plus);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private boolean isGcLog(Path path) {
    String file = path.getFileName().toString();
    return file.startsWith(name() + ".") && file.endsWith(".gc");
  }
}
