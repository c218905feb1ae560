package io.posconnect.fetch;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/** Each batch is a transaction, which commits records and offsets together. */
final class ExactlyOnceWorker extends SimulatedWorker {

  private List<EmittedRecord> uncommitted = List.of();
  private final Deque<EmittedRecord> unacknowledged = new ArrayDeque<>();

  ExactlyOnceWorker(World world, SimulatedTask task) {
    super(world, task);
  }

  @Override
  void poll(int max) {
    commit();
    acknowledge(Integer.MAX_VALUE);
    uncommitted = nextBatch(max);
  }

  private void commit() {
    if (uncommitted.isEmpty()) {
      return;
    }
    world.trace(() -> "commits " + uncommitted);
    Map<Map<String, ?>, EmittedRecord> last = new HashMap<>();
    for (EmittedRecord sent : uncommitted) {
      if (!drops(sent)) {
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
      EmittedRecord sent = unacknowledged.remove();
      if (!sent.acknowledged()) {
        sent.acknowledge(!drops(sent));
      }
      task.take();
    }
  }

  @Override
  void progress(SplittableRandom random) {
    if (random.nextBoolean()) {
      commit();
    }
    acknowledge(random.nextInt(6));
  }

  @Override
  void settle() {
    do {
      poll(1000);
      commit();
      acknowledge(Integer.MAX_VALUE);
    } while (!task.queue().isEmpty());
  }

  @Override
  void crash(SplittableRandom random) {
    if (random.nextBoolean()) {
      commit();
    }
  }
}
