package io.posconnect.task;

import io.posconnect.config.SourceConfig;
import io.posconnect.location.LocationLimits;
import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.kafka.connect.util.ConnectorUtils;

/**
 * Decides which task owns which streams: each stream exactly one, and streams that count against
 * the same rate limit the same one, since tasks may run in different processes. Depends on the
 * configuration alone, so that equal configurations give equal assignments.
 */
public final class StreamAssignment {

  private StreamAssignment() {}

  /** The streams of each task, at most {@code maxTasks} of them and none without streams. */
  public static List<List<Stream>> of(SourceConfig config, int maxTasks) {
    List<List<Stream>> groups = groups(config);
    return ConnectorUtils.groupPartitions(groups, Math.min(maxTasks, groups.size())).stream()
        .map(task -> task.stream().flatMap(Collection::stream).sorted().toList())
        .toList();
  }

  /** A limit of the service: it counts by key, of which a location has one, and by path. */
  private record Limit(String location, String path) {}

  private record Group(List<Stream> streams, Set<Limit> limits) {}

  private static List<List<Stream>> groups(SourceConfig config) {
    List<Group> groups = new ArrayList<>();
    for (Stream stream : config.streams()) {
      Group group = new Group(new ArrayList<>(List.of(stream)), limits(config, stream));
      for (Group other : List.copyOf(groups)) {
        if (other.limits().stream().anyMatch(group.limits()::contains)) {
          group.streams().addAll(other.streams());
          group.limits().addAll(other.limits());
          groups.remove(other);
        }
      }
      groups.add(group);
    }
    return groups.stream()
        .map(group -> group.streams().stream().sorted().toList())
        .sorted((a, b) -> a.get(0).compareTo(b.get(0)))
        .toList();
  }

  private static Set<Limit> limits(SourceConfig config, Stream stream) {
    Set<Limit> limits = new HashSet<>();
    for (String path : LocationLimits.paths(config.resource(stream))) {
      limits.add(new Limit(stream.location(), path));
    }
    return limits;
  }
}
