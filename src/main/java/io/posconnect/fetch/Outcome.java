package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.fetch.ServerTime.Moment;
import io.posconnect.fetch.StoreGuard.Comparison;
import io.posconnect.problem.Incident;
import io.posconnect.resource.PageEnd;
import java.time.Instant;
import java.util.List;

/** What came of a {@link Step}; {@link StreamCycle} draws the consequences. */
sealed interface Outcome {

  /** Changes the stream's state accordingly; returns what has to be reported. */
  List<StreamEvent> applyTo(StreamCycle cycle, Moment now);

  /** Nothing was done, and nothing is to be done before that monotonic time. */
  record Delayed(long untilNanos) implements Outcome {
    @Override
    public List<StreamEvent> applyTo(StreamCycle cycle, Moment now) {
      return cycle.delayed(untilNanos);
    }
  }

  /** The location has answered who it is. */
  record Identified() implements Outcome {
    @Override
    public List<StreamEvent> applyTo(StreamCycle cycle, Moment now) {
      return cycle.identified(now);
    }
  }

  /** The location has not said who it is. */
  record Unidentified(ApiException failure, boolean hasNewKey) implements Outcome {
    @Override
    public List<StreamEvent> applyTo(StreamCycle cycle, Moment now) {
      return cycle.unidentified(failure, hasNewKey, now);
    }
  }

  /** Rows of the location were compared with the digest. */
  record Compared(Comparison comparison) implements Outcome {
    @Override
    public List<StreamEvent> applyTo(StreamCycle cycle, Moment now) {
      return cycle.compared(comparison, now);
    }
  }

  /** Another stream has found the location's key refused, or good. */
  record KeyChanged() implements Outcome {
    @Override
    public List<StreamEvent> applyTo(StreamCycle cycle, Moment now) {
      return cycle.followKey(now);
    }
  }

  /**
   * The fetch must not be made.
   *
   * @param hasNewKey whether the configuration has another key by now
   */
  record Refused(Fetch fetch, Incident incident, boolean hasNewKey) implements Outcome {
    @Override
    public List<StreamEvent> applyTo(StreamCycle cycle, Moment now) {
      return cycle.refused(fetch, incident, hasNewKey, now);
    }
  }

  /** One response of the fetch was read to its end. */
  record Received(Fetch fetch, PageEnd end) implements Outcome {
    @Override
    public List<StreamEvent> applyTo(StreamCycle cycle, Moment now) {
      return cycle.received(fetch, end, now);
    }
  }

  /** The stream cannot remember so many identical rows as the response has. */
  record Overflowed(Fetch fetch) implements Outcome {
    @Override
    public List<StreamEvent> applyTo(StreamCycle cycle, Moment now) {
      return cycle.overflowed(fetch, now);
    }
  }

  /**
   * The request of the fetch brought no complete response.
   *
   * @param hasNewKey whether it was refused, and the configuration has another key by now
   */
  record Failed(Fetch fetch, ApiException failure, boolean hasNewKey) implements Outcome {
    @Override
    public List<StreamEvent> applyTo(StreamCycle cycle, Moment now) {
      return cycle.failed(fetch, failure, hasNewKey, now);
    }
  }

  /**
   * What the end of the fetch proves was emitted.
   *
   * @param began server time at which the fetch began
   */
  record Finished(Fetch fetch, PassEnd end, Instant began) implements Outcome {
    @Override
    public List<StreamEvent> applyTo(StreamCycle cycle, Moment now) {
      return cycle.finished(fetch, end, began, now);
    }
  }
}
