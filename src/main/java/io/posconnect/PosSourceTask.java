package io.posconnect;

import io.posconnect.task.RunningTask;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;
import org.jspecify.annotations.Nullable;

/**
 * The shell that Connect creates, starts and stops; everything that runs is a {@link RunningTask}.
 *
 * <p>Starting makes no network call: Connect would not try again if it failed.
 */
public final class PosSourceTask extends SourceTask {

  // Written by the task's thread; read by the producer's thread in commitRecord.
  private volatile @Nullable RunningTask running;

  @Override
  public String version() {
    return Version.TEXT;
  }

  @Override
  public void start(Map<String, String> properties) {
    running = RunningTask.start(properties, context);
  }

  /** Returns within about a second; null when there is nothing. */
  @Override
  public @Nullable List<SourceRecord> poll() throws InterruptedException {
    RunningTask task = running;
    if (task == null) {
      return null;
    }
    List<SourceRecord> batch = task.poll();
    return batch.isEmpty() ? null : batch;
  }

  @Override
  public void commitRecord(SourceRecord record, @Nullable RecordMetadata metadata) {
    RunningTask task = running;
    if (task != null) {
      task.acknowledged(record, metadata != null);
    }
  }

  @Override
  public void commit() {
    RunningTask task = running;
    if (task != null) {
      task.committed();
    }
  }

  @Override
  public void stop() {
    RunningTask task = running;
    if (task != null) {
      task.close();
    }
  }
}
