package io.posconnect.acceptance;

import io.posconnect.acceptance.ChaosRun.Outage;
import io.posconnect.simulator.ResponseHistory.ShownVersion;
import io.posconnect.simulator.SimulatedLocation;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/**
 * Compares a topic's events with what the service served: for each key, the distinct contents one
 * by one, in order.
 *
 * <p>Only what a response showed can become an event. What was shown only by a response that
 * reached a process shortly before it was killed or lost its task may have none: it is
 * <i>excused</i>. Everything else that has no event is <i>missed</i>. An event is a <i>phantom</i>
 * when its content was never shown, a <i>repeat</i> when an earlier event had it, a <i>reversal</i>
 * when it is older than that of an earlier event.
 *
 * @param contents distinct contents shown, deletes included
 * @param events change events on the topic, without tombstones
 * @param missed contents that have no event, without excuse
 */
record DeliveryCheck(
    int contents,
    int events,
    int excused,
    Set<String> missed,
    Set<String> phantoms,
    Set<String> repeats,
    Set<String> reversals) {

  /** Returns whether every content that was shown is one event, in order. */
  boolean holds() {
    return missed.isEmpty() && isOrderly();
  }

  /**
   * Returns whether the events are some of what was shown, each once and in order. With
   * reconciliations beside increments more cannot be asked: of two responses that overlap, the
   * older content may come last, and is then skipped.
   */
  boolean isOrderly() {
    return phantoms.isEmpty() && repeats.isEmpty() && reversals.isEmpty();
  }

  static DeliveryCheck of(
      SimulatedLocation location,
      String resource,
      Collection<Event> all,
      Collection<Outage> outages) {
    Map<Long, List<Event>> byKey = new LinkedHashMap<>();
    all.stream()
        .filter(event -> !event.op().equals("t"))
        .forEach(event -> byKey.computeIfAbsent(event.id(), id -> new ArrayList<>()).add(event));
    Tally tally = new Tally(resource, outages);
    Map<Long, List<ShownVersion>> history = location.history().of(resource);
    Set<Long> present = location.table(resource).revisions().keySet();
    history.forEach(
        (id, served) -> {
          List<Event> events = byKey.getOrDefault(id, List.of());
          tally.compare(id, served, events, !present.contains(id));
        });
    byKey.forEach(
        (id, emitted) -> {
          if (!history.containsKey(id)) {
            emitted.forEach(event -> tally.phantoms.add(resource + " " + event));
          }
        });
    return tally.sum();
  }

  private static final class Tally {
    private final String resource;
    private final Collection<Outage> outages;
    private final Set<String> missed = new TreeSet<>();
    private final Set<String> phantoms = new TreeSet<>();
    private final Set<String> repeats = new TreeSet<>();
    private final Set<String> reversals = new TreeSet<>();
    private int contents;
    private int events;
    private int excused;

    Tally(String resource, Collection<Outage> outages) {
      this.resource = resource;
      this.outages = outages;
    }

    /** A content is its revision, an absence is 0; a key never returns at these locations. */
    void compare(long id, List<ShownVersion> served, List<Event> emitted, boolean gone) {
      contents += served.size();
      events += emitted.size();
      Map<Integer, Integer> places = new HashMap<>();
      for (int i = 0; i < served.size(); i++) {
        places.putIfAbsent(content(served.get(i)), i);
      }
      if (gone) {
        // Pages never show in one response that a row is absent.
        places.putIfAbsent(0, served.size());
      }
      int last = -1;
      Set<Integer> seen = new TreeSet<>();
      for (Event event : emitted) {
        int content = event.op().equals("d") ? 0 : event.revision();
        Integer place = places.get(content);
        String what = resource + " " + id + " " + event + " of " + emitted + " for " + served;
        if (place == null) {
          phantoms.add(what);
        } else if (!seen.add(content)) {
          repeats.add(what);
        } else if (place < last) {
          reversals.add(what);
        }
        last = place == null ? last : Math.max(last, place);
      }
      for (ShownVersion content : served) {
        if (!seen.contains(content(content))) {
          miss(id, content, emitted);
        }
      }
    }

    private void miss(long id, ShownVersion content, List<Event> emitted) {
      boolean excuse =
          !content.whole() || outages.stream().anyMatch(each -> each.excuses(content.at()));
      if (excuse) {
        excused++;
      } else {
        missed.add(resource + " " + id + " " + content + " in " + emitted);
      }
    }

    private static int content(ShownVersion served) {
      return served.present() ? served.revision() : 0;
    }

    DeliveryCheck sum() {
      return new DeliveryCheck(contents, events, excused, missed, phantoms, repeats, reversals);
    }
  }
}
