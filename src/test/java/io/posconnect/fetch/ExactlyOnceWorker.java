package io.posconnect.fetch;

import io.posconnect.fetch.EmittedRecord.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * Each batch is a transaction, which commits records and offsets together. A batch of which a
 * transform drops everything opens none: its records are acknowledged with the next transaction.
 */
final class ExactlyOnceWorker extends SimulatedWorker {

  private List<EmittedRecord> uncommitted = List.of();
  private final List<EmittedRecord> dropped = new ArrayList<>();
  private final Deque<EmittedRecord> unacknowledged = new ArrayDeque<>();

  ExactlyOnceWorker(World world, SimulatedTask task) {
    super(world, task);
  }

  @Override
  void poll(int max) {
    commit();
    acknowledge(Integer.MAX_VALUE);
    task.polled().committed();
    task.take();
    uncommitted = nextBatch(max);
  }

  private void commit() {
    commit(uncommitted.size());
  }

  private void commit(int count) {
    List<EmittedRecord> sending = uncommitted.subList(0, count);
    uncommitted = uncommitted.subList(count, uncommitted.size());
    if (sending.isEmpty()) {
      return;
    }
    world.trace(() -> "commits " + sending);
    Map<Map<String, ?>, EmittedRecord> last = new HashMap<>();
    for (EmittedRecord sent : sending) {
      if (!drops(sent)) {
        world.oracle().written(sent);
        last.put(sent.partition(), sent);
      }
    }
    last.values().forEach(sent -> world.stored(sent));
    dropped.addAll(sending);
    if (!last.isEmpty()) {
      unacknowledged.addAll(dropped);
      dropped.clear();
    }
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

  /** A pause commits what was sent of a batch; not between a delete and its tombstone. */
  private void pause(int sent) {
    boolean splits = sent < uncommitted.size() && uncommitted.get(sent).kind() == Kind.TOMBSTONE;
    commit(splits ? sent - 1 : sent);
    acknowledge(Integer.MAX_VALUE);
    task.polled().committed();
    task.take();
  }

  @Override
  void progress(SplittableRandom random) {
    if (random.nextBoolean()) {
      commit();
    } else if (random.nextInt(4) == 0) {
      pause(random.nextInt(uncommitted.size() + 1));
    }
    acknowledge(random.nextInt(6));
  }

  @Override
  void settle() {
    // A batch that is dropped is known to be so at the poll after the next.
    for (int idle = 0; idle < 3; idle = task.queue().isEmpty() ? idle + 1 : 0) {
      poll(1000);
      commit();
      acknowledge(Integer.MAX_VALUE);
    }
  }

  @Override
  void crash(SplittableRandom random) {
    if (random.nextBoolean()) {
      commit();
    }
  }
}
