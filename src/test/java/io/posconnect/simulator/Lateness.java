package io.posconnect.simulator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * How much later than its interval each request of a stream came after the one before.
 *
 * @param millis ascending
 */
public record Lateness(List<Long> millis) {

  public Lateness {
    millis = millis.stream().sorted().toList();
  }

  /** Of the requests for rows; the identity is also asked between the readings of its stream. */
  public static Lateness of(Collection<LoggedRequest> requests, long intervalMillis) {
    List<Long> late = new ArrayList<>();
    Map<String, Long> last = new HashMap<>();
    for (LoggedRequest request : requests) {
      if (!request.path().equals(Endpoint.WHOAMI)) {
        Long before = last.put(request.store() + request.path(), request.nanos());
        if (before != null) {
          late.add(TimeUnit.NANOSECONDS.toMillis(request.nanos() - before) - intervalMillis);
        }
      }
    }
    return new Lateness(late);
  }

  public int size() {
    return millis.size();
  }

  /** In milliseconds; -1 of none. */
  public long percentile(int percent) {
    return millis.isEmpty() ? -1 : millis.get((millis.size() - 1) * percent / 100);
  }
}
