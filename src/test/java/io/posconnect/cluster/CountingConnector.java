package io.posconnect.cluster;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.connect.connector.Task;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.jspecify.annotations.Nullable;

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

  /** Sends the next few numbers at every poll; the number is the offset. */
  public static final class CountingTask extends SourceTask {

    private static final Map<String, String> PARTITION = Map.of("counter", "only");
    private static final Schema KEY =
        SchemaBuilder.struct().name("test.Key").field("number", Schema.INT64_SCHEMA).build();
    private static final Schema VALUE =
        SchemaBuilder.struct().name("test.Value").field("text", Schema.STRING_SCHEMA).build();
    private static final int BATCH = 10;

    private final CountDownLatch never = new CountDownLatch(1);
    private String topic = "";
    private long last;
    private long sent;

    @Override
    public void start(Map<String, String> settings) {
      topic = settings.get("topic");
      last = Long.parseLong(settings.get("last"));
      Map<String, Object> offset = context.offsetStorageReader().offset(PARTITION);
      sent = offset == null ? 0 : (Long) offset.get("sent");
    }

    @Override
    public @Nullable List<SourceRecord> poll() throws InterruptedException {
      List<SourceRecord> records = new ArrayList<>();
      while (sent < last && records.size() < BATCH) {
        sent++;
        records.add(
            new SourceRecord(
                PARTITION,
                Map.of("sent", sent),
                topic,
                KEY,
                new Struct(KEY).put("number", sent),
                VALUE,
                new Struct(VALUE).put("text", "number " + sent)));
      }
      // A poll that returns at once is called again at once.
      boolean released = never.await(20, TimeUnit.MILLISECONDS);
      return records.isEmpty() || released ? null : records;
    }

    @Override
    public void stop() {}

    @Override
    public String version() {
      return "1";
    }
  }
}
