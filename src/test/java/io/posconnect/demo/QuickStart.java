package io.posconnect.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.Io;
import io.posconnect.StrictFiles;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.TopicReader;
import io.posconnect.simulator.Churn;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.TypeConversionException;

/** Runs a whole installation on this machine, and prints each change at its location. */
public final class QuickStart {

  private static final Path CONNECTOR = Path.of("config/quickstart.json");
  private static final String PRODUCTS = "quickstart.products";
  private static final InitialRows SIZES = new InitialRows(40, 25, 60, Duration.ofDays(7), 40, 0);
  private static final double CHANGES_PER_SECOND = 1;
  private static final Duration ABSENT_INPUT = Duration.ofSeconds(2);

  private final Options options;
  private final PrintStream out;
  private final long started = System.nanoTime();
  private volatile boolean signalled;
  private volatile boolean inputEnded;
  private volatile boolean finished;

  private QuickStart(Options options, PrintStream out) {
    this.options = options;
    this.out = out;
  }

  public static void main(String[] arguments) {
    Options options;
    try {
      options = Options.parse(arguments);
    } catch (ParameterException e) {
      System.err.println(e.getMessage());
      System.exit(2);
      return;
    }
    if (options.help) {
      CommandLine.usage(options, System.out);
      return;
    }
    PrintStream out = new PrintStream(System.out, true, StandardCharsets.UTF_8);
    QuickStart quickStart = new QuickStart(options, out);
    Thread main = Thread.currentThread();
    Runtime.getRuntime().addShutdownHook(new Thread(() -> quickStart.endAndAwait(main), "end"));
    int status = quickStart.run();
    quickStart.finished = true;
    if (!quickStart.signalled) {
      System.exit(status);
    }
  }

  /** Lets {@link #run} close what it opened before a signal ends the process. */
  private void endAndAwait(Thread main) {
    if (finished) {
      return;
    }
    signalled = true;
    try {
      main.join(Duration.ofSeconds(20).toMillis());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private int run() {
    try (Simulator service = Simulator.builder().withoutHistory().start();
        Cluster cluster =
            Cluster.start(
                ClusterOptions.of("quickstart").withShippedWorkers().withProgress(this::progress));
        ControlPanel panel = new ControlPanel(service, () -> loseHalf(cluster, PRODUCTS))) {
      service.fill(service.location(), SIZES);
      Map<String, String> settings = settings(service, cluster);
      String name = settings.remove("name");
      progress("creating connector " + name);
      cluster.connect().put(name, settings);
      cluster.connect().awaitRunning(name);
      Tour.writeConfiguration(name, settings);
      Tour tour = new Tour(cluster, panel, settings.get("topic.prefix"));
      printAddresses(service, cluster, name);
      out.println(tour);
      return printEvents(service, cluster, settings.get("topic.prefix"), tour);
    } catch (RuntimeException | AssertionError e) {
      if (signalled) {
        return 130;
      }
      out.println("The quick start failed: " + e.getMessage());
      return 1;
    }
  }

  /** Writes a tombstone for half of the keys of a topic; returns for how many. */
  private static int loseHalf(Cluster cluster, String topic) {
    Map<ByteBuffer, ConsumerRecord<byte[], byte[]>> rows = new LinkedHashMap<>();
    cluster.topics().raw(topic).forEach(record -> rows.put(ByteBuffer.wrap(record.key()), record));
    rows.values().removeIf(record -> record.value() == null);
    int half = rows.size() / 2;
    try (var producer = cluster.producer(Map.of())) {
      rows.values().stream()
          .limit(half)
          .forEach(
              row -> {
                var unused =
                    producer.send(new ProducerRecord<>(topic, row.partition(), row.key(), null));
              });
    }
    return half;
  }

  private void progress(String words) {
    out.printf(Locale.ROOT, "%6.1f s  %s%n", (System.nanoTime() - started) / 1e9, words);
  }

  private static Map<String, String> settings(Simulator service, Cluster cluster) {
    JsonNode file = Io.unchecked(() -> StrictFiles.json(CONNECTOR));
    Map<String, String> settings = StrictFiles.settings(file.path("config"));
    settings.put("name", file.path("name").asText());
    settings.put("base.url", service.baseUrl().toString());
    settings.put("api.key", cluster.secret("pos.properties", "api.key", Simulator.KEY));
    settings.put(
        "start.from", service.now().minus(SIZES.over()).truncatedTo(ChronoUnit.SECONDS).toString());
    return settings;
  }

  private void printAddresses(Simulator service, Cluster cluster, String connector) {
    out.printf(
        """

          Service      %s  simulated; a change each second
          Connector    %s/connectors/%s/status
          Offsets      %s/connectors/%s/offsets
          Broker       %s  topics %s.*; read them with isolation.level=read_committed
          Schemas      %s/subjects
          Logs         %s
          End          %s%s

        """,
        service.baseUrl(),
        cluster.worker(0).restUrl(),
        connector,
        cluster.worker(0).restUrl(),
        connector,
        cluster.bootstrapServers(),
        connector,
        cluster.registry().confluentUrl(),
        Path.of("").toAbsolutePath().relativize(cluster.logs()),
        howToEnd(),
        options.limit.map(limit -> ", or by itself after " + limit.toSeconds() + " s").orElse(""));
  }

  /**
   * Returns how to end it. A process that is started with {@code nohup}, or in the background of a
   * script, ignores Ctrl-C, and a JVM cannot change that; the processes that it starts inherit it.
   */
  private static String howToEnd() {
    try {
      Process shell = new ProcessBuilder("sh", "-c", "kill -INT $$; exit 0").start();
      if (shell.waitFor() == 0) {
        return "kill " + ProcessHandle.current().pid() + "; Ctrl-C is ignored here";
      }
    } catch (IOException e) {
      // There is no such shell, so nothing is known to ignore it.
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return "Ctrl-C";
  }

  private int printEvents(Simulator service, Cluster cluster, String prefix, Tour tour) {
    EventPrinter printer = new EventPrinter(out, options.colour, prefix);
    Instant end = options.limit.map(limit -> Instant.now().plus(limit)).orElse(Instant.MAX);
    watchInput(tour);
    try (TopicReader.Follower follower =
            cluster.topics().follow(Pattern.compile(Pattern.quote(prefix) + "\\..*"));
        Churn churn = service.churn(service.location(), System.nanoTime())) {
      churn.start(CHANGES_PER_SECOND);
      while (!signalled && !inputEnded && Instant.now().isBefore(end)) {
        follower.poll().forEach(printer::print);
      }
      out.println();
      progress("ending; printed " + printer.total());
      return printer.changes() > 0 ? 0 : 1;
    }
  }

  /** Ends when the standard input does, unless there was none. Enter prints the tour again. */
  private void watchInput(Tour tour) {
    Thread thread =
        new Thread(
            () -> {
              if (inputEnds(tour)) {
                inputEnded = true;
              }
            },
            "input");
    thread.setDaemon(true);
    thread.start();
  }

  private boolean inputEnds(Tour tour) {
    long began = System.nanoTime();
    try {
      for (int typed = System.in.read(); typed >= 0; typed = System.in.read()) {
        if (typed == '\n') {
          out.println(tour);
        }
      }
    } catch (IOException e) {
      progress("standard input: " + e.getMessage());
    }
    return System.nanoTime() - began > ABSENT_INPUT.toNanos();
  }

  /** Options of the quick start. */
  @Command(
      name = "quickstart",
      description = {
        "Starts a Kafka broker, a schema registry, a Connect worker with this connector and a"
            + " simulated service, and prints every change at its location as it arrives on its"
            + " topic. All of it on the loopback interface.",
        ""
      },
      footer = {
        "",
        "Ctrl-C ends everything. So does closing the standard input, unless it was closed from the"
            + " start, and so does kill, which also works where Ctrl-C is ignored (nohup, a"
            + " background process)."
      })
  static final class Options {

    @Option(
        names = "--for",
        paramLabel = "TIME",
        converter = TimeConverter.class,
        description = "end after TIME, such as 60s or 5m; fails when no change came until then")
    Optional<Duration> limit = Optional.empty();

    @Option(names = "--colour", description = "colour the operations")
    boolean colour;

    @Option(names = "--help", usageHelp = true, description = "print this and end")
    boolean help;

    /** Throws a {@link ParameterException} with a sentence for the user. */
    static Options parse(String... arguments) {
      Options options = new Options();
      new CommandLine(options).parseArgs(arguments);
      return options;
    }
  }

  /** Reads {@code 60s}, {@code 5m} or {@code 1h}. */
  static final class TimeConverter implements CommandLine.ITypeConverter<Duration> {

    @Override
    public Duration convert(String text) {
      if (!text.matches("\\d{1,6}[smh]")) {
        throw new TypeConversionException("a time is 60s or 5m, not " + text);
      }
      return Duration.parse("PT" + text);
    }
  }
}
