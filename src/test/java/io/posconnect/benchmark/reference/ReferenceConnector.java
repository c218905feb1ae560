package io.posconnect.benchmark.reference;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/** Emits one list once, with one task, then a mark that all of it is written. */
public final class ReferenceConnector extends SourceConnector {

  static final String MODE = "mode";
  static final String URL = "url";
  static final String TOPIC = "topic";
  static final String MARKS = "marks";
  static final String FIELDS = "fields";
  static final String ROWS = "rows";

  private static final ConfigDef CONFIG =
      new ConfigDef()
          .define(MODE, ConfigDef.Type.STRING, Importance.HIGH, "A mode of ReferenceTask.")
          .define(URL, ConfigDef.Type.STRING, Importance.HIGH, "Where the list is.")
          .define(TOPIC, ConfigDef.Type.STRING, Importance.HIGH, "Of the rows.")
          .define(MARKS, ConfigDef.Type.STRING, Importance.HIGH, "The topic of the mark.")
          .define(
              FIELDS,
              ConfigDef.Type.STRING,
              Importance.HIGH,
              "Each name:type; the first is the key.")
          .define(ROWS, ConfigDef.Type.INT, Importance.HIGH, "How many ready rows are emitted.");

  private Map<String, String> settings = Map.of();

  @Override
  public void start(Map<String, String> config) {
    settings = Map.copyOf(config);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return ReferenceTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int most) {
    return List.of(settings);
  }

  @Override
  public void stop() {
    // Only its task runs.
  }

  @Override
  public ConfigDef config() {
    return CONFIG;
  }

  @Override
  public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> config) {
    return ExactlyOnceSupport.SUPPORTED;
  }

  @Override
  public String version() {
    return "1";
  }
}
