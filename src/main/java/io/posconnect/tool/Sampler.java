package io.posconnect.tool;

import io.posconnect.change.ContentHash;
import io.posconnect.client.Rows;
import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.location.ClientFactory;
import io.posconnect.problem.Incident;
import io.posconnect.resource.Request.Parameter;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
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
   * @param share of the service's limit
   */
  record Limits(int rows, int requests, Duration time, double share) {
    Limits {
      if (rows < 1 || requests < 1 || time.compareTo(Duration.ofSeconds(1)) < 0) {
        throw ExitCode.UNREADABLE.because("Give --rows, --requests and --seconds above 0.");
      }
    }
  }

  /**
   * What was read of a stream.
   *
   * @param ending which is complete if the service has no more rows than these
   */
  record Sample(Stream stream, int requests, Ending ending) {}

  /** Adds each row that the service sends to the profile, until there are enough. */
  Sample sample(Stream stream, ResourceProfile profile) {
    try (StreamReader reader = reader(stream, config.resource(stream).parameters())) {
      SampleSpans spans = SampleSpans.of(config.settings(stream), Instant.now());
      Ending ending = reader.read(spans, adding(stream, reader, profile));
      return new Sample(stream, reader.requests, ending);
    }
  }

  private StreamReader.Visitor adding(Stream stream, StreamReader reader, ResourceProfile profile) {
    Set<String> seen = new HashSet<>();
    return new StreamReader.Visitor() {
      private int rows;
      private int fetch;

      @Override
      public boolean wantsMore() {
        return rows < limits.rows() && reader.requests < limits.requests();
      }

      @Override
      public void begins(Window span) {
        fetch++;
      }

      @Override
      public boolean row(Row row, Rows response) {
        profile.personal.unmet.retainAll(response.unmetPaths());
        if (rows >= limits.rows()) {
          return false;
        }
        boolean different = seen.add(row.hash());
        rows += different ? 1 : 0;
        profile.add(stream, row, fetch, different);
        return true;
      }

      @Override
      public void brokeOff() {
        fetch++;
      }
    };
  }

  private StreamReader reader(Stream stream, List<Parameter> fixed) {
    StreamReader reader =
        new StreamReader(
            config, clients, config.resource(stream, fixed), stream, limits.share(), screen);
    reader.endWithin(limits.time());
    return reader;
  }

  /** Finds the fixed parameters of a stream that change nothing in its rows. */
  List<Incident> idleParameters(Stream stream) {
    Instant now = Instant.now();
    return new ParameterTrial(
            stream.id(),
            config.resource(stream).parameters(),
            fixed -> contents(stream, fixed, now))
        .idle();
  }

  private Set<Long> contents(Stream stream, List<Parameter> fixed, Instant now) {
    try (StreamReader reader = reader(stream, fixed)) {
      ContentHash hash = new ContentHash(config.resource(stream).ignoreFields());
      ParameterTrial.Contents contents = new ParameterTrial.Contents(new HashSet<>(), hash, reader);
      reader.read(SampleSpans.of(config.settings(stream), now), contents);
      return contents.rows();
    }
  }
}
