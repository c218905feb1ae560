package io.posconnect.fetch;

import io.posconnect.fetch.EmittedRecord.Kind;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.SplittableRandom;

/** Connect's side of one task: takes its records, writes them, commits their offsets. */
abstract class SimulatedWorker {

  final World world;
  final SimulatedTask task;

  SimulatedWorker(World world, SimulatedTask task) {
    this.world = world;
    this.task = task;
  }

  /** Takes up to so many records, the way a worker polls. */
  abstract void poll(int max);

  /** Goes some way with what was taken. */
  abstract void progress(SplittableRandom random);

  /** Takes, writes and commits everything there is. */
  abstract void settle();

  /** The worker dies; what is on its way may still arrive. */
  abstract void crash(SplittableRandom random);

  /** What one call of {@code poll()} returns: a delete comes together with its tombstone. */
  final List<EmittedRecord> nextBatch(int max) {
    Deque<EmittedRecord> queue = task.queue();
    List<EmittedRecord> batch = new ArrayList<>();
    while (!queue.isEmpty() && (batch.size() < max || queue.peek().kind() == Kind.TOMBSTONE)) {
      batch.add(queue.remove());
    }
    task.polled().add(batch.stream().map(EmittedRecord::record).toList());
    return batch;
  }

  final boolean drops(EmittedRecord record) {
    Setup setup = world.setup();
    return switch (record.kind()) {
      case EVENT -> setup.drops(record.version());
      case TOMBSTONE -> setup.dropsTombstones || setup.drops(record.version());
      case CHECKPOINT, STATUS, BASELINE, DEAD_LETTER -> false;
    };
  }
}
