package io.posconnect;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Time;

/** The runs of one connector, one after the other; those that were not closed end with the test. */
final class DrivenRuns implements AutoCloseable {

  private final List<DrivenTask> runs = new ArrayList<>();

  /** Starts one with what another one has committed. */
  DrivenTask start(
      Map<String, String> settings, Map<? extends Map<String, ?>, Map<String, Object>> offsets) {
    runs.add(DrivenTask.start(settings, Time.SYSTEM, offsets));
    return runs.get(runs.size() - 1);
  }

  @Override
  public void close() {
    runs.forEach(DrivenTask::close);
  }
}
