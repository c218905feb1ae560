package io.posconnect.tool;

import io.posconnect.client.ApiException;
import io.posconnect.client.ClientClosedException;
import io.posconnect.client.Rows;
import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.location.ClientFactory;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Reads some rows of a stream with the connector's own client: one request at a time, within the
 * service's limits, and with no more requests than allowed.
 */
final class Sampler {

  private final SourceConfig config;
  private final Limits limits;
  private final Screen screen;
  private final ClientFactory clients = ClientFactory.sharing();

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
   * @param complete whether the service has no more rows than these
   * @param incident that ended the reading, if one did
   */
  record Sample(Stream stream, int requests, boolean complete, Optional<Incident> incident) {}

  Sampler(SourceConfig config, Limits limits, Screen screen) {
    this.config = config;
    this.limits = limits;
    this.screen = screen;
  }

  /** Adds each row that the service sends to the profile, until there are enough. */
  Sample sample(Stream stream, ResourceProfile profile) {
    try (StreamReader reader = new StreamReader(config, clients, stream, limits.share(), screen)) {
      reader.endWithin(limits.time());
      Reading reading = new Reading(stream, reader, profile);
      Optional<Incident> incident = Optional.empty();
      boolean cutShort = false;
      SampleSpans spans = SampleSpans.of(config.settings(stream), Instant.now());
      Optional<Window> window = spans.next();
      while (window.isPresent() && reading.wantsMore() && incident.isEmpty()) {
        int before = reading.rows;
        try {
          reading.fetch++;
          cutShort |= !reader.read(window.get(), reading);
          spans.brought(reading.rows - before);
        } catch (ApiException e) {
          if (!spans.narrow(e)) {
            incident = Optional.of(e.incident());
          }
        } catch (ClientClosedException e) {
          incident =
              Optional.of(
                  Problem.TOO_SLOW.incident(
                      stream.id(), "not read within " + Text.duration(limits.time())));
        }
        window = spans.next();
      }
      boolean complete = incident.isEmpty() && window.isEmpty() && !cutShort;
      return new Sample(stream, reader.requests(), complete, incident);
    }
  }

  /** One stream that is being read. */
  private final class Reading implements StreamReader.Visitor {

    private final Stream stream;
    private final StreamReader reader;
    private final ResourceProfile profile;
    private final Set<String> seen = new HashSet<>();
    private int rows;
    private int fetch;

    Reading(Stream stream, StreamReader reader, ResourceProfile profile) {
      this.stream = stream;
      this.reader = reader;
      this.profile = profile;
    }

    @Override
    public boolean wantsMore() {
      return rows < limits.rows() && reader.requests() < limits.requests();
    }

    @Override
    public boolean row(Row row, Rows response) {
      profile.personal.searched(response.unmetPaths());
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
  }
}
