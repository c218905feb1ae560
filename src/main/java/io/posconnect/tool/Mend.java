package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.problem.Text;
import io.posconnect.resource.Stream;
import io.posconnect.tool.AuditedKeys.Outcome;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * The smallest change of the connector that writes lost rows again: a new {@code snapshot.id} of
 * their resources or of their locations, whichever have fewer streams.
 *
 * @param settings that get a new value
 * @param streams that the connector emits once more
 * @param address of the connector's configuration
 */
record Mend(List<String> settings, List<Stream> streams, String address) {

  /** A value that no configuration has. */
  private static final String NEW = "to be written again by an audit";

  private static final String COMMAND =
      """
      curl -sS --fail-with-body -X PATCH -H 'Content-Type: application/json' \\
        %s \\
        --data '{""";

  private static final List<Outcome> CURED =
      List.of(Outcome.MISSING, Outcome.DIFFERENT, Outcome.REMOVED);

  /**
   * Plans it; empty if it would cure no stream. A first read must not begin again.
   *
   * @param worker address of Connect's REST API
   */
  static Optional<Mend> of(List<StreamResult> results, ConnectorConfig given, URI worker) {
    List<Stream> broken =
        results.stream()
            .filter(StreamResult::mendable)
            .filter(each -> each.verdict() == Verdict.DIFFERENT || each.count(Outcome.REMOVED) > 0)
            .filter(result -> CURED.stream().anyMatch(each -> result.count(each) > 0))
            .map(StreamResult::stream)
            .toList();
    // The name of a connector, such as "the shop", as an address and a shell take it.
    String name =
        URLEncoder.encode(given.resolved().getOrDefault("name", "NAME"), StandardCharsets.UTF_8)
            .replace("+", "%20");
    String address =
        "%s/connectors/%s/config"
            .formatted(Tool.withoutUsers(worker.toString()).replaceFirst("/+$", ""), name);
    Function<Stream, String> ofResource = each -> "resources." + each.resource();
    Function<Stream, String> ofLocation = each -> "locations." + each.location();
    return java.util.stream.Stream.of(ofResource, ofLocation)
        .map(owner -> broken.stream().map(owner.andThen(scope -> scope + ".snapshot.id")))
        .map(settings -> settings.distinct().sorted().toList())
        .map(settings -> new Mend(settings, emitted(given, settings), address))
        .filter(mend -> !broken.isEmpty() && mend.streams.containsAll(broken))
        .min(Comparator.comparingInt(mend -> mend.streams.size()));
  }

  /** The streams that have the new value then: one of a location precedes that of a resource. */
  private static List<Stream> emitted(ConnectorConfig given, List<String> settings) {
    Map<String, String> changes = new HashMap<>();
    settings.forEach(setting -> changes.put(setting, NEW));
    SourceConfig changed = SourceConfig.unchecked(given.with(changes).resolved());
    return changed.streams().stream()
        .filter(each -> changed.settings(each).snapshotId().equals(NEW))
        .toList();
  }

  String explanation() {
    return ("To have these rows in the topics again, let the connector emit %s once more (%s)."
            + " Put the same value into your own file, or its next upload starts one more snapshot:")
        .formatted(
            Text.count(streams.size(), "stream"),
            streams.stream().map(Stream::id).collect(Collectors.joining(", ")));
  }

  String command() {
    String value = "audit " + Judgement.shown(Instant.now());
    return settings.stream()
        .map(setting -> "\"%s\": \"%s\"".formatted(setting, value))
        .collect(Collectors.joining(", ", COMMAND.formatted(address), "}'"));
  }
}
