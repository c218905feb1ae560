package io.posconnect.benchmark;

import io.posconnect.benchmark.reference.ReferenceConnector;
import io.posconnect.benchmark.reference.ReferenceTask.Mode;
import java.net.URI;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** A connector that is measured. */
enum Contestant {
  CEILING("ceiling: ready rows", "mode=" + Mode.READY),
  REFERENCE("reference: streaming parser", "mode=" + Mode.STREAMED),
  PARSER("parser alone, no events", "mode=" + Mode.PARSED),
  OURS("ours, default contract"),
  TYPED("ours, 30 typed fields", Own.TYPED),
  FLAT("ours, 30 typed fields, flat", Own.TYPED, "event.format=flat");

  private static final class Own {
    static final String TYPED = "resources.products.fields=" + ProductRows.FIELDS;
  }

  private final String label;
  private final String own;

  Contestant(String label, String... own) {
    this.label = label;
    this.own = String.join("\n", own);
  }

  /** For a row of the table. */
  String label() {
    return label;
  }

  /** Begins the names of its connectors, and selects it. */
  String id() {
    return name().toLowerCase(Locale.ROOT);
  }

  static Contestant of(String id) {
    return valueOf(id.toUpperCase(Locale.ROOT));
  }

  boolean isOurs() {
    return this != CEILING && this != REFERENCE && this != PARSER;
  }

  /**
   * The configuration of a connector, whose topics begin with its name.
   *
   * @param list where the list is
   */
  Map<String, String> settings(String name, URI list, int rows, boolean exactlyOnce) {
    Map<String, String> all = new TreeMap<>();
    own.lines().forEach(line -> set(all, line));
    all.put("tasks.max", "1");
    all.put("exactly.once.support", exactlyOnce ? "required" : "requested");
    all.put("topic.creation.default.partitions", "1");
    all.put("topic.creation.default.replication.factor", "-1");
    if (isOurs()) {
      all.put("connector.class", "io.posconnect.PosSourceConnector");
      all.put("base.url", list.resolve("/").toString().replaceAll("/$", ""));
      all.put("api.key", "benchmark-key");
      all.put("topic.prefix", name);
      all.put("resources", "products");
      all.put("resources.products.path", list.getPath());
      all.put("resources.products.retrieval", "full");
      all.put("resources.products.requests.per.minute", "6000");
      all.put("resources.products.poll.interval.ms", "1000");
      all.put("checkpoint.interval.ms", "1");
      all.put("validate.connection", "false");
    } else {
      all.put("connector.class", ReferenceConnector.class.getName());
      all.put("url", list.toString());
      all.put("topic", name + ".products");
      all.put("marks", name + ".checkpoints");
      all.put("fields", ProductRows.FIELDS);
      all.put("rows", Integer.toString(rows));
    }
    return all;
  }

  /** Sets what a line such as {@code batch.max.records=1000} says. */
  static void set(Map<String, String> settings, String line) {
    settings.put(line.replaceFirst("=.*", ""), line.replaceFirst("[^=]*=", ""));
  }
}
