package io.posconnect.tool;

import io.posconnect.change.ContentHash;
import io.posconnect.config.SourceConfig;
import io.posconnect.location.ClientFactory;
import io.posconnect.problem.Incident;
import io.posconnect.resource.Request.Parameter;
import io.posconnect.resource.Stream;
import io.posconnect.tool.StreamReader.Ending;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Reads some rows of a stream with the connector's own client: one request at a time, within the
 * service's limits, and with no more requests than allowed.
 */
record Sampler(SourceConfig config, Limits limits, Screen screen, ClientFactory clients) {

  /**
   * How much may be read of each stream.
   *
   * @param rows that differ from each other
   * @param time in which they are read
   */
  record Limits(int rows, int requests, Duration time) {
    Limits {
      if (rows < 1 || requests < 1 || time.compareTo(Duration.ofSeconds(1)) < 0) {
        throw ExitCode.UNREADABLE.because("Give --rows, --requests and --seconds above 0.");
      }
    }
  }

  /** Adds each row that the service sends to the profile, until there are enough. */
  Ending sample(Stream stream, ResourceProfile profile) {
    Set<String> seen = new HashSet<>();
    List<Parameter> fixed = config.resource(stream).parameters();
    try (StreamReader reader = reader(stream, fixed, limits.requests(), limits.time())) {
      return reader.read(
          SampleSpans.of(config.settings(stream), Instant.now()),
          (row, response) -> {
            profile.personal.unmet.retainAll(response.notes().unmetPaths());
            profile.add(stream, row, reader.fetch, seen.add(row.hash()));
            return seen.size() < limits.rows();
          });
    }
  }

  private StreamReader reader(Stream stream, List<Parameter> fixed, int requests, Duration time) {
    StreamReader reader =
        new StreamReader(config, clients, config.resource(stream, fixed), stream, screen);
    reader.limit(requests, time);
    return reader;
  }

  /**
   * Finds the fixed parameters of a stream that change nothing in its rows. All of its readings
   * together have as much time as a sample.
   */
  List<Incident> idleParameters(Stream stream) {
    Instant now = Instant.now();
    long endNanos = System.nanoTime() + limits.time().toNanos();
    return new ParameterTrial(
            stream.id(),
            config.resource(stream).parameters(),
            fixed -> contents(stream, fixed, now, Duration.ofNanos(endNanos - System.nanoTime())))
        .idle();
  }

  private Set<Long> contents(Stream stream, List<Parameter> fixed, Instant now, Duration left) {
    Set<Long> rows = new HashSet<>();
    if (left.isNegative()) {
      return rows;
    }
    ContentHash hash = new ContentHash(config.resource(stream).ignoreFields());
    try (StreamReader reader = reader(stream, fixed, ParameterTrial.REQUESTS, left)) {
      reader.read(
          SampleSpans.of(config.settings(stream), now),
          (row, response) -> {
            rows.add(hash.of(row));
            return rows.size() < ParameterTrial.ROWS;
          });
    }
    return rows;
  }
}
