package io.posconnect.fetch;

import io.posconnect.offset.StreamOffset;
import io.posconnect.problem.Incident;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.util.List;

/** Something about a stream that has to be reported; {@link StreamReporter} decides where. */
sealed interface StreamEvent {

  /** Reports this event. */
  void reportTo(StreamReporter reporter);

  /**
   * A fetch is complete.
   *
   * @param again whether another pass must follow, so that no checkpoint vouches for this one
   * @param keys how many the digest holds
   * @param written runs once its checkpoint is written, on any thread
   */
  record FetchCompleted(
      Fetch fetch, boolean again, StreamOffset position, int keys, Runnable written)
      implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.fetchCompleted(this);
    }
  }

  /** The snapshot is complete. */
  record SnapshotCompleted() implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.snapshotCompleted();
    }
  }

  /**
   * A request failed and will be made again.
   *
   * @param attempt number of the next attempt
   */
  record Retried(Incident incident, int attempt, Duration delay) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.retried(incident, attempt, delay);
    }
  }

  /** A page was refused; the fetch starts again at its first page. */
  record FetchRestarted(Incident incident) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.fetchRestarted(incident);
    }
  }

  /** A page behind a full one does not exist; a second try shows whether the list ends there. */
  record EndDoubted(Incident incident) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.endDoubted(incident);
    }
  }

  /** The list ends with a page that does not exist, for the first time or at another page. */
  record ListEnded(Incident incident) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.listEnded(incident);
    }
  }

  /** A window was too much for the service; a shorter one is asked for. */
  record WindowShortened(Incident incident, Window window) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.windowShortened(incident, window);
    }
  }

  /** The location did not say who it is; it is asked again after that pause. */
  record IdentityMissing(Incident incident, Duration pause) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.identityMissing(incident, pause);
    }
  }

  /**
   * The stream is suspended, or a probe of it failed.
   *
   * @param consequence what happens next, in a clause
   */
  record Suspended(Incident incident, String consequence) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.suspended(incident, consequence);
    }
  }

  /**
   * The service refused the location's key; each of its streams is {@link SuspendedByKey
   * suspended}.
   *
   * @param consequence what happens next, in a sentence
   */
  record KeyRefused(Incident incident, String consequence) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.keyRefused(incident, consequence);
    }
  }

  /** The stream is suspended with its location, which is in the log once. */
  record SuspendedByKey(Incident incident) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.suspended(incident);
    }
  }

  /** The service accepts the key of the location again. */
  record KeyAccepted() implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.keyAccepted();
    }
  }

  /** A suspended stream is read again. */
  record Resumed() implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.resumed();
    }
  }

  /** No request of the stream is failing any more. */
  record Recovered() implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.recovered();
    }
  }

  /** The key was refused or opens another store, and the configuration has another one by now. */
  record KeyRotated() implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.keyRotated();
    }
  }

  /**
   * Keys vanished, and their deletes wait.
   *
   * @param keys how many
   */
  record DeletesHeld(Incident incident, int keys) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.deletesHeld(incident, keys);
    }
  }

  /**
   * A pass is complete that could show deletes.
   *
   * @param unreadable how many of its rows have no readable key
   * @param held how many missing keys these rows hold
   */
  record PassCompleted(int unreadable, int held) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.passCompleted(unreadable, held);
    }
  }

  /** No delete waits any more; so many keys were deleted. */
  record DeletesReleased(int deleted) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.deletesReleased(deleted);
    }
  }

  /** The digest is full, and evicts its oldest keys. */
  record KeysEvicted(Incident incident) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.keysEvicted(incident);
    }
  }

  /** No row of a full read has a field of these private paths. */
  record PrivateFieldsAbsent(List<String> paths) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.privateFieldsAbsent(paths);
    }
  }

  /** The location gives another name than before, and the rows of before: it was renamed. */
  record StoreRenamed() implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.storeRenamed();
    }
  }

  /** The location answers, but with nothing by which a store can be recognized. */
  record IdentityEmpty(Incident incident) implements StreamEvent {
    @Override
    public void reportTo(StreamReporter reporter) {
      reporter.warn(incident);
    }
  }
}
