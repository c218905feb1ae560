package io.posconnect.task;

import io.posconnect.config.SourceConfig;
import io.posconnect.location.LocationLimits;
import io.posconnect.resource.Stream;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
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

  private record Group(SortedSet<Stream> streams, Set<Limit> limits) {}

  private static List<List<Stream>> groups(SourceConfig config) {
    Map<Limit, Group> groups = new HashMap<>();
    for (Stream stream : config.streams()) {
      Group group = new Group(new TreeSet<>(Set.of(stream)), limits(config, stream));
      for (Limit limit : List.copyOf(group.limits())) {
        Group other = groups.get(limit);
        if (other != null) {
          group.streams().addAll(other.streams());
          group.limits().addAll(other.limits());
        }
      }
      group.limits().forEach(limit -> groups.put(limit, group));
    }
    return groups.values().stream()
        .distinct()
        .map(group -> List.copyOf(group.streams()))
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
