package io.posconnect.cluster;

import java.util.List;
import java.util.Map;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;

/**
 * The simplest connector there is: counts from 1 on one topic, and goes on where it was committed.
 * It proves the cluster, without ours.
 */
public final class CountingConnector extends SourceConnector {

  private Map<String, String> settings = Map.of();

  @Override
  public void start(Map<String, String> given) {
    settings = Map.copyOf(given);
  }

  @Override
  public Class<? extends Task> taskClass() {
    return CountingTask.class;
  }

  @Override
  public List<Map<String, String>> taskConfigs(int maxTasks) {
    return List.of(settings);
  }

  @Override
  public void stop() {}

  @Override
  public ConfigDef config() {
    return new ConfigDef()
        .define("topic", ConfigDef.Type.STRING, ConfigDef.Importance.HIGH, "where the numbers go")
        .define("last", ConfigDef.Type.LONG, ConfigDef.Importance.HIGH, "the last number");
  }

  @Override
  public ExactlyOnceSupport exactlyOnceSupport(Map<String, String> given) {
    return ExactlyOnceSupport.SUPPORTED;
  }

  @Override
  public String version() {
    return "1";
  }
}
