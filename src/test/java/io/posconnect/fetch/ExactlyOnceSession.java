package io.posconnect.fetch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Each batch is a transaction, which commits records and offsets together. */
final class ExactlyOnceSession implements Session {

  private final World world;
  private final Incarnation incarnation;
  private List<Sent> uncommitted = List.of();
  private final Deque<Sent> unacknowledged = new ArrayDeque<>();

  ExactlyOnceSession(World world, Incarnation incarnation) {
    this.world = world;
    this.incarnation = incarnation;
  }

  @Override
  public void poll(int max) {
    commit();
    acknowledge(Integer.MAX_VALUE);
    uncommitted = Batch.take(incarnation.queue(), max, world.wiring());
  }

  private void commit() {
    if (uncommitted.isEmpty()) {
      return;
    }
    world.trace(() -> "commits " + uncommitted);
    Map<Map<String, ?>, Sent> last = new HashMap<>();
    for (Sent sent : uncommitted) {
      if (!Session.drops(world.setup(), sent)) {
        world.oracle().written(sent);
        last.put(sent.partition(), sent);
      }
    }
    last.values().forEach(sent -> world.stored(sent));
    unacknowledged.addAll(uncommitted);
    uncommitted = List.of();
  }

  private void acknowledge(int max) {
    for (int i = 0; i < max && !unacknowledged.isEmpty(); i++) {
      Sent sent = unacknowledged.remove();
      if (!sent.acknowledged()) {
        sent.acknowledge(!Session.drops(world.setup(), sent));
      }
      incarnation.take();
    }
  }

  @Override
  public void progress(SplittableRandom random) {
    if (random.nextBoolean()) {
      commit();
    }
    acknowledge(random.nextInt(6));
  }

  @Override
  public void settle() {
    do {
      poll(1000);
      commit();
      acknowledge(Integer.MAX_VALUE);
    } while (!incarnation.queue().isEmpty());
  }

  @Override
  public void crash(SplittableRandom random) {
    if (random.nextBoolean()) {
      commit();
    }
  }
}
