package io.posconnect.simulator;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The contents of one location's rows that clients were shown, distinct and in order for each row:
 * repetitions count once. It is what events are to be compared with, since content that no response
 * held cannot become one. Safe for several threads.
 */
public final class ResponseHistory {

  private record Last(Row row, boolean present) {}

  private static final class Track {
    private final List<ShownVersion> entries = new ArrayList<>();
    private Last last;
  }

  private final Map<String, Map<Long, Track>> tracks = new HashMap<>();

  /** The distinct contents of every row of the resource that was ever shown, oldest first. */
  public synchronized Map<Long, List<ShownVersion>> of(String resource) {
    Map<Long, List<ShownVersion>> copy = new LinkedHashMap<>();
    tracks
        .getOrDefault(resource, Map.of())
        .forEach((id, track) -> copy.put(id, List.copyOf(track.entries)));
    return copy;
  }

  /** The distinct contents of one row, oldest first; empty if it was never shown. */
  public synchronized List<ShownVersion> of(String resource, long id) {
    Track track = tracks.getOrDefault(resource, Map.of()).get(id);
    return track == null ? List.of() : List.copyOf(track.entries);
  }

  /** Forgets everything. */
  public synchronized void clear() {
    tracks.clear();
  }

  /**
   * Notes a response.
   *
   * @param everything whether a row that is not among the rows does not exist
   */
  synchronized void note(
      String resource, List<Row> rows, boolean whole, boolean everything, Instant at) {
    Map<Long, Track> known = tracks.computeIfAbsent(resource, name -> new LinkedHashMap<>());
    for (Row row : rows) {
      show(known.computeIfAbsent(row.id(), id -> new Track()), row, whole, at);
    }
    if (whole && everything) {
      Set<Long> shown = new HashSet<>();
      rows.forEach(row -> shown.add(row.id()));
      known.forEach(
          (id, track) -> {
            if (!shown.contains(id) && track.last.present()) {
              track.last = new Last(track.last.row(), false);
              track.entries.add(new ShownVersion(0, Instant.EPOCH, false, true, at));
            }
          });
    }
  }

  private static void show(Track track, Row row, boolean whole, Instant at) {
    Last last = track.last;
    track.last = new Last(row, true);
    if (last != null && last.present() && last.row().sameContent(row)) {
      int newest = track.entries.size() - 1;
      ShownVersion entry = track.entries.get(newest);
      if (whole && !entry.whole()) {
        track.entries.set(
            newest, new ShownVersion(entry.revision(), entry.modified(), true, true, entry.at()));
      }
      return;
    }
    track.entries.add(
        new ShownVersion(row.revision(), Instant.ofEpochMilli(row.modified()), true, whole, at));
  }

  /**
   * One thing that a client was shown about a row.
   *
   * @param revision of the row; 0 when it was absent
   * @param modified the time of modification that the row had; the epoch when it was absent
   * @param present false: a complete, unfiltered list did not hold the row any more
   * @param whole whether a response that showed it was sent to its end; one that broke off may or
   *     may not have reached the client
   * @param at when the first response that showed it ended
   */
  public record ShownVersion(
      int revision, Instant modified, boolean present, boolean whole, Instant at) {}
}
