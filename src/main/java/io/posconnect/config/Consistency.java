package io.posconnect.config;

import io.posconnect.record.EventFormat;
import java.util.ArrayList;
import java.util.List;

/** Finds what no setting can know of itself: what is missing, and what contradicts. */
final class Consistency {

  private final SourceConfig config;
  private final List<Fault> faults = new ArrayList<>();

  private Consistency(SourceConfig config) {
    this.config = config;
  }

  /** Every fault of a configuration whose settings are well-typed and well-named. */
  static List<Fault> faults(SourceConfig config) {
    Consistency consistency = new Consistency(config);
    consistency.faults.addAll(LocationChecks.faults(config));
    consistency.faults.addAll(ResourceChecks.faults(config));
    if (consistency.faults.isEmpty()) {
      consistency.faults.addAll(TopicChecks.faults(config));
    }
    consistency.backOffs();
    consistency.deletes();
    return consistency.faults;
  }

  private void backOffs() {
    if (config.retryBackoff().compareTo(config.retryBackoffMax()) > 0) {
      faults.add(
          new Fault(
              ServiceSettings.RETRY_BACKOFF.name(),
              "is longer than %s; lower it to at most %d"
                  .formatted(
                      ServiceSettings.RETRY_BACKOFF_MAX.name(),
                      config.retryBackoffMax().toMillis())));
    }
  }

  private void deletes() {
    if (config.eventFormat() == EventFormat.FLAT && !config.tombstonesOnDelete()) {
      faults.add(
          new Fault(
              RecordSettings.TOMBSTONES.name(),
              "cannot be false with %s=%s, where a tombstone is the delete; remove one of them"
                  .formatted(RecordSettings.EVENT_FORMAT.name(), EventFormat.FLAT.spelling())));
    }
  }
}
