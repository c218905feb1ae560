package io.posconnect.fetch;

import io.posconnect.fetch.Sent.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What one call of {@code poll()} returns. */
final class Batch {

  private Batch() {}

  /** Takes up to {@code max} records, a delete together with its tombstone. */
  static List<Sent> take(Deque<Sent> queue, int max, Wiring wiring) {
    List<Sent> batch = new ArrayList<>();
    while (!queue.isEmpty() && (batch.size() < max || queue.peek().kind() == Kind.TOMBSTONE)) {
      batch.add(queue.remove());
    }
    if (wiring.swapsNeighbours()) {
      for (int i = 1; i < batch.size(); i += 2) {
        Collections.swap(batch, i - 1, i);
      }
    }
    Map<Map<String, ?>, Sent> last = new HashMap<>();
    batch.forEach(sent -> last.put(sent.partition(), sent));
    batch.forEach(sent -> sent.endsWith(last.get(sent.partition())));
    return batch;
  }
}
