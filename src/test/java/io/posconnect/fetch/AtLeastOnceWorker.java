package io.posconnect.fetch;

import io.posconnect.fetch.EmittedRecord.Kind;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * Records become durable one by one, in order within a partition of a topic only; now and then the
 * acknowledged prefix of each source partition is committed.
 */
final class AtLeastOnceWorker extends SimulatedWorker {

  private final Map<String, Deque<EmittedRecord>> topics = new TreeMap<>();
  private final Map<String, Deque<EmittedRecord>> submitted = new TreeMap<>();
  private final Set<EmittedRecord> written = new HashSet<>();

  AtLeastOnceWorker(World world, SimulatedTask task) {
    super(world, task);
  }

  @Override
  void poll(int max) {
    for (EmittedRecord sent : nextBatch(max)) {
      if (drops(sent)) {
        sent.acknowledge(false);
        continue;
      }
      String topic = sent.record().topic();
      if (sent.version() != null) {
        topic += "-" + sent.version().key() % 2;
      }
      topics.computeIfAbsent(topic, t -> new ArrayDeque<>()).add(sent);
      String source = String.valueOf(sent.partition());
      submitted.computeIfAbsent(source, p -> new ArrayDeque<>()).add(sent);
    }
    task.take();
  }

  @Override
  void progress(SplittableRandom random) {
    // Some brokers may be slow.
    List<String> quick = new ArrayList<>(topics.keySet());
    quick.removeIf(topic -> random.nextBoolean());
    int records = random.nextInt(8);
    for (int i = 0; i < records; i++) {
      write(random, quick);
    }
    if (random.nextBoolean()) {
      flush(() -> true);
    }
  }

  private void write(SplittableRandom random, Collection<String> quick) {
    List<Deque<EmittedRecord>> waiting = new ArrayList<>();
    for (String topic : quick) {
      if (!topics.get(topic).isEmpty()) {
        waiting.add(topics.get(topic));
      }
    }
    if (waiting.isEmpty()) {
      return;
    }
    EmittedRecord sent = waiting.get(random.nextInt(waiting.size())).remove();
    boolean fails =
        world.setup().toleratesLosses
            && sent.kind() == Kind.EVENT
            && !world.isCalm()
            && random.nextInt(10) == 0;
    if (fails) {
      world.oracle().failed(sent);
    } else {
      world.oracle().written(sent);
    }
    // A checkpoint may have been acknowledged too early.
    if (!sent.acknowledged()) {
      sent.acknowledge(!fails);
    }
    written.add(sent);
    task.take();
  }

  /**
   * @param arrives whether the offset of the next partition is stored
   */
  private void flush(BooleanSupplier arrives) {
    for (Deque<EmittedRecord> partition : submitted.values()) {
      if (!arrives.getAsBoolean()) {
        continue;
      }
      EmittedRecord last = null;
      while (!partition.isEmpty() && written.remove(partition.peek())) {
        last = partition.remove();
      }
      if (last != null) {
        EmittedRecord committed = last;
        world.trace(() -> "flushes " + committed);
        world.stored(last);
      }
    }
  }

  @Override
  void settle() {
    SplittableRandom random = new SplittableRandom(1);
    while (!task.queue().isEmpty() || topics.values().stream().anyMatch(t -> !t.isEmpty())) {
      poll(1000);
      write(random, List.copyOf(topics.keySet()));
    }
    flush(() -> true);
  }

  @Override
  void crash(SplittableRandom random) {
    for (Deque<EmittedRecord> topic : topics.values()) {
      int arrive = random.nextBoolean() ? 0 : random.nextInt(topic.size() + 1);
      for (int i = 0; i < arrive; i++) {
        world.oracle().written(topic.remove());
      }
    }
    // Offsets are flushed in no transaction, so some of a flush may arrive.
    if (random.nextInt(4) == 0) {
      flush(random::nextBoolean);
    }
  }
}
