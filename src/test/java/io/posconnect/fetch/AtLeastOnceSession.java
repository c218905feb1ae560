package io.posconnect.fetch;

import io.posconnect.fetch.Sent.Kind;
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

/**
 * Records become durable one by one, in order within a partition of a topic only; now and then the
 * acknowledged prefix of each source partition is committed.
 */
final class AtLeastOnceSession implements Session {

  private final World world;
  private final Incarnation incarnation;
  private final Map<String, Deque<Sent>> topics = new TreeMap<>();
  private final Map<String, Deque<Sent>> submitted = new TreeMap<>();
  private final Set<Sent> written = new HashSet<>();

  AtLeastOnceSession(World world, Incarnation incarnation) {
    this.world = world;
    this.incarnation = incarnation;
  }

  @Override
  public void poll(int max) {
    for (Sent sent : Batch.take(incarnation.queue(), max, world.wiring())) {
      if (Session.drops(world.setup(), sent)) {
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
    incarnation.take();
  }

  @Override
  public void progress(SplittableRandom random) {
    // Some brokers may be slow.
    List<String> quick = new ArrayList<>(topics.keySet());
    quick.removeIf(topic -> random.nextBoolean());
    int records = random.nextInt(8);
    for (int i = 0; i < records; i++) {
      write(random, quick);
    }
    if (random.nextBoolean()) {
      flush();
    }
  }

  private void write(SplittableRandom random, Collection<String> quick) {
    List<Deque<Sent>> waiting = new ArrayList<>();
    for (String topic : quick) {
      if (!topics.get(topic).isEmpty()) {
        waiting.add(topics.get(topic));
      }
    }
    if (waiting.isEmpty()) {
      return;
    }
    Sent sent = waiting.get(random.nextInt(waiting.size())).remove();
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
    incarnation.take();
  }

  private void flush() {
    for (Deque<Sent> partition : submitted.values()) {
      Sent last = null;
      while (!partition.isEmpty() && written.remove(partition.peek())) {
        last = partition.remove();
      }
      if (last != null) {
        Sent committed = last;
        world.trace(() -> "flushes " + committed);
        world.stored(last);
      }
    }
  }

  @Override
  public void settle() {
    SplittableRandom random = new SplittableRandom(1);
    while (!incarnation.queue().isEmpty() || topics.values().stream().anyMatch(t -> !t.isEmpty())) {
      poll(1000);
      write(random, List.copyOf(topics.keySet()));
    }
    flush();
  }

  @Override
  public void crash(SplittableRandom random) {
    for (Deque<Sent> topic : topics.values()) {
      int arrive = random.nextBoolean() ? 0 : random.nextInt(topic.size() + 1);
      for (int i = 0; i < arrive; i++) {
        world.oracle().written(topic.remove());
      }
    }
  }
}
