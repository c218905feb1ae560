package io.posconnect.benchmark;

import static io.posconnect.benchmark.ResultsPage.row;
import static java.util.stream.Collectors.joining;

import io.posconnect.benchmark.Results.Line;
import io.posconnect.benchmark.Results.Phase;
import io.posconnect.benchmark.Results.Setting;
import io.posconnect.benchmark.WorkerProbe.Work;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import java.util.OptionalDouble;
import java.util.function.ToDoubleFunction;

/** Writes the results as Markdown: what a person reads, and the page of performance. */
final class Report {

  private static final List<String> COLUMNS =
      List.of(
          "read",
          "connector",
          "rows/s",
          "ratio",
          "CPU µs a row",
          "ratio",
          "fetch",
          "task",
          "producer",
          "GC",
          "other",
          "heap peak/live MB",
          "B an event",
          "ratio",
          "compressed",
          "ratio",
          "offsets B a row",
          "start s");

  private final Results results;
  private final Plan plan;

  Report(Results results, Plan plan) {
    this.results = results;
    this.plan = plan;
  }

  /** All tables. */
  String markdown() {
    return machine()
        + results.settings().stream().map(this::table).collect(joining("\n", "\n", ""));
  }

  private String machine() {
    return String.format(
        "Measured on %s: %d cores, %s (%s), Java %s, worker with `-Xmx%s` and the serial collector%s.\n",
        LocalDate.now(ZoneOffset.UTC),
        Runtime.getRuntime().availableProcessors(),
        System.getProperty("os.name"),
        System.getProperty("os.arch"),
        System.getProperty("java.version"),
        plan.heap(),
        plan.others().isEmpty() ? "" : ", changed by `" + plan.others() + "`");
  }

  private String table(Setting setting) {
    StringBuilder text = new StringBuilder("### " + setting.label() + "\n\n");
    text.append(row(COLUMNS));
    text.append(row(COLUMNS.stream().map(each -> "---").toList()));
    results.lines(setting).forEach(line -> text.append(row(cells(line))));
    return text.toString();
  }

  private List<String> cells(Line line) {
    Measurement it = results.of(line);
    boolean emits = it.bytes().events() > 0 && line.phase() != Phase.UNCHANGED;
    return List.of(
        line.phase().name().toLowerCase(Locale.ROOT),
        line.contestant().label(),
        String.format("%,.0f", it.rowsPerSecond()),
        ratio(line, Measurement::rowsPerSecond),
        String.format("%.1f", it.microsPerRow()),
        ratio(line, Measurement::microsPerRow),
        micros(it, Work.FETCH),
        micros(it, Work.TASK),
        micros(it, Work.PRODUCER),
        micros(it, Work.COLLECTOR),
        micros(it, Work.OTHER),
        (it.peakHeap() >> 20) + " / " + (it.liveHeap() >> 20),
        emits ? perRow(it, it.bytes().events()) : "",
        emits ? ratio(line, each -> each.bytes().events()) : "",
        emits ? perRow(it, it.bytes().log()) : "",
        emits ? ratio(line, each -> each.bytes().log()) : "",
        String.format("%.1f", (double) it.bytes().offsets() / it.rows()),
        line.phase() == Phase.UNCHANGED ? "" : String.format("%.2f", it.start().toMillis() / 1e3));
  }

  /** Empty for what the others are compared with. */
  private String ratio(Line line, ToDoubleFunction<Measurement> value) {
    OptionalDouble ratio = results.ratio(line, value);
    boolean compared =
        line.contestant() != Contestant.PARSER && line.contestant() != Contestant.REFERENCE;
    return compared && ratio.isPresent() ? String.format("**%.2f**", ratio.orElseThrow()) : "";
  }

  private static String micros(Measurement it, Work work) {
    return String.format("%.1f", it.microsPerRow(work));
  }

  private static String perRow(Measurement it, long bytes) {
    return Long.toString(bytes / it.rows());
  }
}
