package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.problem.Incident;
import io.posconnect.resource.Reading;

/** The next thing to do for a stream: {@link StreamCycle} decides it, the shell performs it. */
sealed interface Step {

  /**
   * Performs the step.
   *
   * @throws ApiException when a request brings no complete response
   * @throws InterruptedException when the task stops meanwhile
   */
  Outcome perform(StreamFetcher shell) throws ApiException, InterruptedException;

  /** Turns a failed request of this step into its outcome. */
  default Outcome failed(ApiException failure) {
    throw new IllegalStateException("a step without a request has failed", failure);
  }

  /** Nothing is due before that monotonic time. */
  record Wait(long untilNanos) implements Step {
    @Override
    public Outcome perform(StreamFetcher shell) {
      return Outcome.delayed(untilNanos);
    }
  }

  /** Ask the location who it is. */
  record Identify() implements Step {
    @Override
    public Outcome perform(StreamFetcher shell) throws ApiException {
      return shell.identify();
    }

    @Override
    public Outcome failed(ApiException failure) {
      return (cycle, now) -> cycle.retries().unidentified(failure, now);
    }
  }

  /** Compare rows of a location that gives another name with the digest, before the fetch. */
  record Compare(Fetch fetch, Reading sample) implements Step {
    @Override
    public Outcome perform(StreamFetcher shell) throws ApiException {
      return shell.compare(fetch, sample);
    }

    @Override
    public Outcome failed(ApiException failure) {
      return (cycle, now) -> cycle.uncompared(fetch, failure, now);
    }
  }

  /** Suspend the stream, unless there is another key: its next fetch must not be made. */
  record Refuse(Fetch fetch, Incident incident) implements Step {
    @Override
    public Outcome perform(StreamFetcher shell) {
      boolean hasNewKey = shell.hasNewKey();
      return (cycle, now) -> cycle.refused(fetch, incident, hasNewKey, now);
    }
  }

  /** Send the fetch's next request, and emit what its rows change. */
  record Read(Fetch fetch) implements Step {
    @Override
    public Outcome perform(StreamFetcher shell) throws ApiException, InterruptedException {
      return shell.read(fetch);
    }

    @Override
    public Outcome failed(ApiException failure) {
      return (cycle, now) -> cycle.failed(fetch, failure, now);
    }
  }

  /** Emit what the end of the fetch proves. */
  record Finish(Fetch fetch, PassEnd end) implements Step {
    @Override
    public Outcome perform(StreamFetcher shell) throws InterruptedException {
      return shell.finish(fetch, end);
    }
  }
}
