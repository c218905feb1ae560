package io.posconnect;

import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/** Reads the streams that the connector assigned to it. */
public final class PosSourceTask extends SourceTask {

  @Override
  public String version() {
    return Version.TEXT;
  }

  @Override
  public void start(Map<String, String> props) {
    throw new UnsupportedOperationException("not wired");
  }

  @Override
  public List<SourceRecord> poll() {
    return List.of();
  }

  @Override
  public void stop() {}
}
