package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.change.Digest.Known;
import io.posconnect.change.Digest.Segments;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Image.State;
import io.posconnect.change.Image.Vouched;
import io.posconnect.offset.DigestCodec;
import io.posconnect.offset.DigestReader;
import io.posconnect.offset.DigestReader.Restored;
import io.posconnect.offset.DigestScope;
import io.posconnect.offset.Snapshot;
import io.posconnect.offset.StreamContext;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamPartition;
import io.posconnect.resource.Key;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/**
 * The law of the digest: whatever the keys, and wherever a process dies, what is read back from
 * Connect's offsets is what the topic says (exactly-once), or never ahead of it (at-least-once),
 * and no loss is seen where there is none. Meanwhile it knows what a map would, and when each key
 * was seen last, and no image changes.
 */
class DigestLawTest {
  private static final int HISTORIES = Integer.getInteger("law.digest", 100);

  @Test
  void exactlyOnceTheDigestIsWhatTheTopicSays() {
    RandomCases.check(HISTORIES, random -> new World(random, true).live());
  }

  @Test
  void atLeastOnceTheDigestIsNeverAheadOfTheTopic() {
    RandomCases.check(HISTORIES, random -> new World(random, false).live());
  }

  /** Returns how one of so many histories of a seed breaks the law; null if none does. */
  static String broken(long from, int histories) {
    try {
      RandomCases.check(
          histories,
          new SplittableRandom(from),
          random -> new World(random, random.nextBoolean()).live());
      return null;
    } catch (AssertionError e) {
      return e.getMessage();
    }
  }

  /** A record on its way: an event of a key, or a checkpoint. */
  private static final class Sent {
    private final Map<String, String> partition;
    private final Supplier<Map<String, Object>> offset;
    private final Optional<Image> image;
    private final Key key;
    private final long content;
    private final boolean dropped;
    private boolean acknowledged;
    private int place;

    Sent(
        Map<String, String> partition,
        Supplier<Map<String, Object>> offset,
        Optional<Image> image,
        Key key,
        long content,
        boolean dropped) {
      this.partition = partition;
      this.offset = offset;
      this.image = image;
      this.key = key;
      this.content = content;
      this.dropped = dropped;
    }
  }

  private static final Stream STREAM = new Stream("downtown", "things");
  private static final long GONE = -1;
  private static final DigestScope SCOPE =
      new DigestScope("pos.things", "id:int64", "", "full /things", "");
  private static final StreamContext CONTEXT =
      StreamContext.of(Snapshot.first(""), SCOPE, Numbering.NONE);

  /** Connect, Kafka and one stream, one history of which is lived through. */
  private static final class World {
    private final RandomGenerator random;
    private final boolean exactlyOnce;
    private final int keys;
    private final int kind;
    private final double drops;
    private final Map<Map<String, String>, Map<String, Object>> stored = new HashMap<>();
    private final Map<Key, List<Long>> topic = new HashMap<>();
    private final Map<Key, Integer> committed = new HashMap<>();
    private final Set<Key> unsure = new HashSet<>(); // dropped by a transform, or forgotten
    private final Set<Key> leaves = new HashSet<>(); // deleted, or forgotten, at any time
    private final boolean forgets;
    private final int patience; // from one acknowledgement to the next
    private final boolean inOrder; // as a list of which every row changes with every read
    private int next;
    private final List<Sent> queue = new ArrayList<>();
    private final Segments sizes;
    private Digest digest;
    private Map<Key, Long> said = new HashMap<>();
    private final TreeMap<Key, Long> seen = new TreeMap<>();
    private final Map<Image, List<StoredEntry>> taken = new HashMap<>();
    private long tick;
    private Optional<Supplier<Vouched>> closing = Optional.empty();
    private int closedAfter;

    World(RandomGenerator random, boolean exactlyOnce) {
      this.random = random;
      this.exactlyOnce = exactlyOnce;
      keys = 1 << random.nextInt(1, 10);
      kind = random.nextInt(4);
      forgets = random.nextBoolean();
      patience = 4 << random.nextInt(5);
      inOrder = random.nextBoolean();
      drops = random.nextInt(4) == 0 ? 0.05 : 0;
      // Many small segments, or few that grow until a part of them is stored.
      int mostBytes = random.nextBoolean() ? 1 : 12 * 1024;
      sizes = new Segments(random.nextInt(1, 20), random.nextInt(20, 1600), mostBytes);
      digest = new Digest(sizes, random);
    }

    void live() {
      int lives = random.nextInt(1, 6);
      for (int life = 0; life < lives; life++) {
        int steps = random.nextInt(1, random.nextBoolean() ? 300 : 2000);
        for (int step = 0; step < steps; step++) {
          step();
        }
        die();
      }
      // What is left comes to rest, and does not grow without end.
      int atOnce = random.nextInt(1, 3 * keys);
      for (int step = 0; step < 1000 + 30 * keys; step++) {
        say();
        if (queue.size() >= atOnce) {
          queue.forEach(sent -> sent.image.ifPresent(image -> image.acknowledged(true)));
          queue.clear();
        }
      }
      assertThat(digest.entries())
          .as("entries of %s keys", keys)
          .isLessThan(2 * keys + atOnce + 3000);
    }

    private void step() {
      int what = random.nextInt(100);
      if (what < 60) {
        say();
      } else if (what < 70) {
        delete();
      } else if (what < 72 && forgets) {
        forget(random.nextInt(5), tick - random.nextInt(50));
      } else if (what < 75) {
        Key key = key();
        digest.see(key);
        seen.computeIfPresent(key, (k, before) -> tick);
      } else if (what < 80) {
        tick = digest.tick();
        if (closing.isEmpty()) {
          closing = Optional.of(digest.mark());
          closedAfter = queue.size();
          release();
        }
      } else if (random.nextInt(patience) == 0) {
        acknowledge(random.nextInt(10 * patience));
      }
    }

    private void forget(int most, long before) {
      List<Key> old = seen.keySet().stream().filter(key -> seen.get(key) < before).toList();
      assertThat(digest.missing(before)).isEqualTo(old);
      assertThat(digest.forget(most, before, key -> true)).isEqualTo(Math.min(most, old.size()));
      List<Key> gone = old.stream().filter(key -> !digest.known(key).isCurrent()).toList();
      assertThat(gone).hasSize(Math.min(most, old.size()));
      unsure.addAll(gone);
      leaves.addAll(gone);
      seen.keySet().removeAll(gone);
      said.keySet().removeAll(gone);
    }

    private void assertKnowsWhatWasSaid() {
      assertThat(digest.size()).isEqualTo(said.size());
      assertThat(digest.missing(Long.MAX_VALUE)).containsExactlyElementsOf(seen.keySet());
      seen.forEach(
          (key, at) ->
              assertThat(digest.known(key)).isEqualTo(new Known(true, true, said.get(key), at)));
      taken.forEach((image, shown) -> assertThat(image.stored()).isEqualTo(shown));
      taken.clear();
    }

    private Key key() {
      return keyOf(inOrder ? next++ % keys : random.nextInt(keys));
    }

    private void say() {
      Key key = key();
      long content = inOrder ? next : random.nextInt(3);
      tick = digest.tick();
      boolean isOther = digest.remember(key, content);
      seen.put(key, tick);
      Long before = said.get(key);
      assertThat(isOther).isEqualTo(before == null || before != content);
      if (isOther) {
        said.put(key, content);
        send(key, content);
      }
    }

    private void delete() {
      Key key = key();
      if (said.remove(key) != null) {
        seen.remove(key);
        digest.remove(key);
        leaves.add(key);
        send(key, GONE);
      }
    }

    private void send(Key key, long content) {
      Image image = digest.image(1);
      if (random.nextInt(20) == 0) {
        List<StoredEntry> shown = image.stored();
        State state = content == GONE ? State.REMOVED : State.CURRENT;
        assertThat(shown)
            .hasSize(image.header().length())
            .endsWith(new StoredEntry(key, state, Math.max(0, content)));
        taken.put(image, shown);
      }
      boolean dropped = random.nextDouble() < drops;
      if (dropped) {
        unsure.add(key);
      }
      queue.add(
          new Sent(
              StreamPartition.slot(STREAM, image.slot()).toMap(),
              () -> DigestCodec.encode(image, CONTEXT),
              Optional.of(image),
              key,
              content,
              dropped));
    }

    private void release() {
      if (closing.isPresent() && closedAfter == 0) {
        Vouched vouched = closing.get().get();
        closing = Optional.empty();
        queue.add(
            new Sent(
                StreamPartition.position(STREAM).toMap(),
                () ->
                    StreamOffset.start(CONTEXT)
                        .withWatermark(Instant.EPOCH)
                        .withDigest(vouched)
                        .toMap(STREAM),
                Optional.empty(),
                Key.of(0),
                0,
                false));
      }
    }

    /** So many records are done with: a transaction, or acknowledgements in any order. */
    private void acknowledge(int most) {
      int count = Math.min(most, queue.size());
      if (exactlyOnce) {
        List<Sent> batch = new ArrayList<>(queue.subList(0, count));
        queue.subList(0, count).clear();
        closedAfter = Math.max(0, closedAfter - count);
        for (Sent sent : batch) {
          if (!sent.dropped) {
            write(sent);
            commit(sent);
          }
        }
        batch.forEach(sent -> sent.image.ifPresent(image -> image.acknowledged(!sent.dropped)));
      } else {
        for (int i = 0; i < count; i++) {
          Sent sent = queue.get(random.nextInt(queue.size()));
          if (!sent.acknowledged && inOrderOfItsKey(sent)) {
            sent.acknowledged = true;
            if (!sent.dropped) {
              write(sent);
            }
            sent.image.ifPresent(image -> image.acknowledged(!sent.dropped));
          }
        }
        flush();
      }
      release();
    }

    /** Kafka keeps the order of a topic's partition, hence of a key. */
    private boolean inOrderOfItsKey(Sent sent) {
      for (Sent each : queue) {
        if (each == sent) {
          return true;
        }
        if (!each.acknowledged && each.image.isPresent() && each.key.equals(sent.key)) {
          return false;
        }
      }
      return true;
    }

    /** Connect commits what is acknowledged without a gap, for each source partition. */
    private void flush() {
      Set<Map<String, String>> blocked = new HashSet<>();
      boolean commits = random.nextInt(3) > 0;
      List<Sent> left = new ArrayList<>();
      int before = closedAfter;
      int gone = 0;
      for (int i = 0; i < queue.size(); i++) {
        Sent sent = queue.get(i);
        if (!sent.acknowledged) {
          blocked.add(sent.partition);
        }
        boolean committed = sent.acknowledged && commits && !blocked.contains(sent.partition);
        if (committed && !sent.dropped) {
          commit(sent);
        }
        if (committed) {
          gone += i < before ? 1 : 0;
        } else {
          left.add(sent);
        }
      }
      queue.clear();
      queue.addAll(left);
      closedAfter = before - gone;
      // A checkpoint leaves when all before it are acknowledged, committed or not.
      if (queue.stream().limit(closedAfter).allMatch(sent -> sent.acknowledged)) {
        closedAfter = 0;
      }
    }

    private void write(Sent sent) {
      if (sent.image.isPresent()) {
        List<Long> events = topic.computeIfAbsent(sent.key, key -> new ArrayList<>());
        events.add(sent.content);
        sent.place = events.size();
      }
    }

    private void commit(Sent sent) {
      stored.put(sent.partition, sent.offset.get());
      if (sent.image.isPresent()) {
        committed.put(sent.key, sent.place);
      }
    }

    private void die() {
      assertKnowsWhatWasSaid();
      queue.clear();
      closing = Optional.empty();
      closedAfter = 0;
      Restored restored = read();
      assertThat(restored.loss()).as("lost").isEmpty();
      damage();
      digest =
          Digest.restore(
              restored.stored(CONTEXT.snapshot(), SCOPE), List.of(), used(), sizes, random);
      Map<Key, Long> now = new HashMap<>();
      for (int number = 0; number < keys; number++) {
        check(number, now);
      }
      said = now;
      seen.clear();
      now.keySet().forEach(key -> seen.put(key, 0L));
      assertKnowsWhatWasSaid();
      tick = digest.tick();
    }

    private void check(int number, Map<Key, Long> now) {
      Key key = keyOf(number);
      Digest.Known known = digest.known(key);
      if (known.isCurrent()) {
        now.put(key, known.hash());
      }
      long knows = known.isCurrent() ? known.hash() : GONE;
      List<Long> events = topic.getOrDefault(key, List.of());
      int sure = committed.getOrDefault(key, 0);
      if (!unsure.contains(key)) {
        List<Long> possible = new ArrayList<>(events.subList(Math.max(0, sure - 1), events.size()));
        if (sure == 0) {
          possible.add(GONE);
        }
        assertThat(possible).as("what the digest may know of %s", key).contains(knows);
      }
      if (sure > 0 && !leaves.contains(key)) {
        assertThat(known.isThere()).as("whether %s is known, whose delete is due", key).isTrue();
      }
      if (exactlyOnce) {
        assertThat(sure).isEqualTo(events.size());
      }
    }

    private Key keyOf(int number) {
      return switch (kind) {
        case 0 -> Key.of(number);
        case 1 -> Key.of(number * 0x9E3779B97F4A7C15L);
        case 2 -> Key.of("[\"key-" + number + "\"]");
        default -> number % 3 == 0 ? Key.of("!" + number) : Key.of((long) number << 16);
      };
    }

    private Optional<StreamOffset> position() {
      return StreamOffset.fromMap(STREAM, stored.get(StreamPartition.position(STREAM).toMap()));
    }

    private long used() {
      return position().map(position -> position.vouched().sequence()).orElse(0L);
    }

    private Restored read() {
      StreamOffset position = position().orElse(null);
      Map<StreamPartition, Map<String, Object>> slots = new LinkedHashMap<>();
      int from = 0;
      int known = position == null ? 0 : position.vouched().slots();
      Restored restored;
      do {
        List<Map<String, String>> asked = DigestReader.partitions(STREAM, from, known);
        for (Map<String, String> partition : asked) {
          Map<String, Object> offset = stored.get(partition);
          if (offset != null) {
            slots.put(StreamPartition.parse(partition), offset);
          }
        }
        from += asked.size();
        restored = DigestReader.read(position, slots);
        known = restored.slots();
      } while (!DigestReader.partitions(STREAM, from, known).isEmpty());
      return restored;
    }

    /** A segment that counts is lost: that is told, unless nobody could have known of it. */
    private void damage() {
      List<Map<String, String>> partitions =
          stored.keySet().stream()
              .filter(p -> !p.equals(StreamPartition.position(STREAM).toMap()))
              .toList();
      Restored before = read();
      if (partitions.isEmpty() || before.segments().isEmpty()) {
        return;
      }
      Map<String, String> victim = partitions.get(random.nextInt(partitions.size()));
      Image.Header newest = before.segments().get(before.segments().size() - 1).stored().header();
      Map<String, Object> kept = stored.remove(victim);
      Restored after = read();
      int slot = Integer.parseInt(victim.get("stream").split("/", -1)[2]);
      Image.Header gone =
          before.segments().stream()
              .map(s -> s.stored())
              .filter(s -> s.slot() == slot)
              .map(s -> s.header())
              .findFirst()
              .orElseThrow();
      boolean counted = gone.sequence() >= newest.head() && gone.sequence() < newest.floor();
      if (counted && gone.length() > 0) {
        assertThat(after.loss()).as("segment %s of %s", gone, newest).isPresent();
      }
      stored.put(victim, kept);
    }
  }
}
