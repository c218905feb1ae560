package io.posconnect.fetch;

import io.posconnect.change.Digest;
import io.posconnect.change.Image;
import io.posconnect.fetch.EmittedRecord.Kind;
import io.posconnect.fetch.Wiring.WatchedPlan;
import io.posconnect.json.Row;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Key;
import io.posconnect.resource.StreamSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** Wirings with one fault each, as a developer might make it by mistake. */
final class PlantedFaults {

  private PlantedFaults() {}

  /** A checkpoint waits for the records of its own fetch only, not for those of one that broke. */
  static final class CheckpointAfterItsOwnRecords extends Wiring {
    @Override
    AckTracker ackTracker() {
      return new OwnRecords();
    }

    @Override
    void broken(AckTracker ackTracker) {
      ((OwnRecords) ackTracker).forgetWhatWasEmitted();
    }
  }

  private static final class OwnRecords extends AckTracker {
    private final List<Entry> emitted = new ArrayList<>();

    @Override
    synchronized Entry emit(int records, Image image) {
      Entry entry = super.emit(records, image);
      for (int i = 0; i < records; i++) {
        emitted.add(entry);
      }
      return entry;
    }

    @Override
    synchronized void close(Runnable checkpoint) {
      emitted.clear();
      super.close(checkpoint);
    }

    void forgetWhatWasEmitted() {
      emitted.forEach(entry -> entry.acknowledged(false));
      emitted.clear();
    }
  }

  /** A batch that is dropped whole is awaited for ever. */
  static final class AwaitsDroppedRecords extends Wiring {
    @Override
    PolledRecords polledRecords(Buffer buffer) {
      return new PolledRecords(buffer) {
        @Override
        public void committed() {}
      };
    }
  }

  /** A commit in the middle of a batch counts the rest of the batch as dropped. */
  static final class PausedIsDropped extends Wiring {
    @Override
    PolledRecords polledRecords(Buffer buffer) {
      return new PolledRecords(buffer) {
        @Override
        public void committed() {
          add(List.of());
          super.committed();
        }
      };
    }
  }

  /** The watermark comes from the local clock. */
  static final class LocalClock extends Wiring {
    @Override
    boolean hidesDates() {
      return true;
    }
  }

  /** All records of a batch but the last carry the state of before the batch. */
  static final class OldStates extends Wiring {
    @Override
    Map<String, ?> offset(EmittedRecord sent) {
      EmittedRecord carried = sent;
      while (sent.kind() != Kind.CHECKPOINT
          && carried != null
          && carried.lastOfBatch() != carried) {
        carried = carried.before();
      }
      return carried == null ? null : super.offset(carried);
    }
  }

  /** Every record of a batch carries the state of after the batch. */
  static final class FinalStates extends Wiring {
    @Override
    Map<String, ?> offset(EmittedRecord sent) {
      return super.offset(sent.lastOfBatch());
    }
  }

  /** The digest evicts keys that no increment returns, though it has room. */
  static final class ForgetsByTime extends Wiring {
    @Override
    WatchedPlan plan(FetchPlan plan, StreamSettings settings, Digest digest) {
      return new WatchedPlan(plan) {
        @Override
        public void completed(Fetch fetch, Instant began, long nowNanos) {
          super.completed(fetch, began, nowNanos);
          if (fetch.kind() == FetchKind.INCREMENT) {
            digest.forget(Integer.MAX_VALUE, fetch.sinceTick(), key -> true);
          }
        }
      };
    }
  }

  /** A reconciliation emits what it read, whatever an increment returned meanwhile. */
  static final class StaleReconciliationWins extends Wiring {
    @Override
    Pass pass(StreamSettings settings, Digest digest) {
      return new Pass(settings, digest) {
        @Override
        boolean isOutdated(Fetch fetch, Key key, long nowNanos) {
          return false;
        }
      };
    }
  }

  /** A row that becomes a dead letter does not count as seen. */
  static final class DeadLetterIsGone extends Wiring {
    @Override
    Pass pass(StreamSettings settings, Digest digest) {
      return new Pass(settings, digest) {
        @Override
        void see(Fetch fetch, Key key, long nowNanos) {
          // Only rows that become events are seen.
        }

        @Override
        void seeUnreadable(Fetch fetch, Key id) {
          // Nor does it hold anything.
        }
      };
    }
  }

  /** Of two rows with one key the first one wins for ever. */
  static final class FirstTwinWins extends Wiring {
    @Override
    Pass pass(StreamSettings settings, Digest digest) {
      return new Pass(settings, digest) {
        @Override
        PassEnd end(Fetch fetch, List<Key> missing, boolean trusted, long nowNanos) {
          PassEnd end = super.end(fetch, missing, trusted, nowNanos);
          return new PassEnd(
              List.of(), end.hidden(), end.verdict(), end.deadLetters(), end.again());
        }
      };
    }
  }

  /** While any key is missing, an alarm goes on. */
  static final class AlarmOutlivesItsCause extends Wiring {
    @Override
    DeleteDetector detector(StreamSettings settings) {
      return new DeleteDetector(settings) {
        private final Map<Key, Wait> waits = new HashMap<>();
        private boolean alarm;

        @Override
        Verdict judge(Seen seen, long now) {
          Verdict verdict = super.judge(seen, now);
          alarm = verdict.wantsAnotherPass() || (alarm && !seen.missing().isEmpty());
          return alarm ? held(verdict, now) : verdict;
        }

        private Verdict held(Verdict verdict, long now) {
          long confirm = settings.deletesConfirm().toNanos();
          Map<Key, Wait> waiting = new HashMap<>(verdict.waiting());
          verdict.unconfirmed().forEach(key -> waiting.put(key, wait(key, now)));
          List<Key> gone = new ArrayList<>(verdict.gone());
          gone.removeAll(verdict.unconfirmed());
          return new Verdict(gone, List.of(), waiting, now + confirm);
        }

        private Wait wait(Key key, long now) {
          return waits.computeIfAbsent(key, k -> new Wait(pass(), Reason.MISSING, pass(), now));
        }
      };
    }
  }

  /** Planning a fetch uses up its turn, whatever keeps its request waiting. */
  static final class PlanningIsSending extends Wiring {
    @Override
    WatchedPlan plan(FetchPlan plan, StreamSettings settings, Digest digest) {
      return new WatchedPlan(plan) {
        @Override
        public Optional<Fetch> next(long nowNanos, Instant serverNow) {
          Optional<Fetch> next = plan.next(nowNanos, serverNow);
          next.ifPresent(plan::sent);
          return next;
        }
      };
    }
  }

  /** A wait counts from the first miss of a key, whatever it waited for. */
  static final class HoldCountsAsMiss extends Wiring {
    @Override
    DeleteDetector detector(StreamSettings settings) {
      return new DeleteDetector(settings) {
        private final Map<Key, Long> missedSince = new HashMap<>();

        @Override
        Verdict judge(Seen seen, long now) {
          Verdict verdict = super.judge(seen, now);
          Map<Key, Wait> waiting = new HashMap<>(verdict.waiting());
          List<Key> gone = new ArrayList<>(verdict.gone());
          verdict.waiting().entrySet().stream()
              .filter(each -> each.getValue().reason() == Reason.MISSING)
              .map(Map.Entry::getKey)
              .filter(key -> now - missedSince.getOrDefault(key, now) >= confirm(settings))
              .peek(waiting::remove)
              .forEach(gone::add);
          return new Verdict(gone, List.of(), waiting, verdict.againNanos());
        }

        @Override
        void passEnded(Verdict verdict, long now) {
          verdict.waiting().keySet().forEach(key -> missedSince.putIfAbsent(key, now));
          super.passEnded(verdict, now);
        }

        @Override
        boolean seen(Key key) {
          missedSince.remove(key);
          return super.seen(key);
        }
      };
    }
  }

  private static long confirm(StreamSettings settings) {
    return settings.deletesConfirm().toNanos();
  }

  /** No time is set at which guarded deletes are looked at again. */
  static final class AlarmWithoutEnd extends Wiring {
    @Override
    DeleteDetector detector(StreamSettings settings) {
      return new DeleteDetector(settings) {
        @Override
        Verdict judge(Seen seen, long now) {
          Verdict verdict = super.judge(seen, now);
          long never = now + TimeUnit.DAYS.toNanos(10_000);
          return verdict.againNanos() > now
              ? new Verdict(verdict.gone(), verdict.unconfirmed(), verdict.waiting(), never)
              : verdict;
        }
      };
    }
  }

  /** A list that proves nothing about keys proves that dead letters are gone. */
  static final class EmptyListForgetsDeadLetters extends Wiring {
    @Override
    Pass pass(StreamSettings settings, Digest digest) {
      return new Pass(settings, digest) {
        @Override
        PassEnd end(Fetch fetch, List<Key> missing, boolean trusted, long nowNanos) {
          PassEnd end = super.end(fetch, missing, trusted, nowNanos);
          return new PassEnd(
              end.resolutions(),
              end.hidden(),
              end.verdict().with(end.deadLetters()),
              end.deadLetters(),
              end.again());
        }
      };
    }
  }

  /** The 401 of a resource is taken for the location's. */
  static final class RefusedResourceIsRefusedKey extends Wiring {
    @Override
    boolean takesRefusalForKey() {
      return true;
    }
  }

  /** A name that once was another store's stays so, whatever the rows show later. */
  static final class OtherStoreForEver extends Wiring {
    @Override
    LocationIdentity identity() {
      return new LocationIdentity(Setup.WHOAMI) {
        private final Set<String> others = new HashSet<>();

        @Override
        synchronized void judged(String identity, boolean same, long nowNanos) {
          super.judged(identity, same, nowNanos);
          if (!same) {
            others.add(identity);
          }
        }

        @Override
        synchronized Optional<Boolean> verdict(String identity, boolean canDecide, long nowNanos) {
          return others.contains(identity)
              ? Optional.of(false)
              : super.verdict(identity, canDecide, nowNanos);
        }
      };
    }
  }

  /** Another name is believed before the rows behind it are compared. */
  static final class NameIsBelieved extends Wiring {
    @Override
    LocationIdentity identity() {
      return new LocationIdentity(Setup.WHOAMI) {
        @Override
        synchronized Optional<Boolean> verdict(String identity, boolean canDecide, long nowNanos) {
          return Optional.of(true);
        }
      };
    }
  }

  /** A row that finds no room counts as one that an increment returned. */
  static final class NoRoomIsFresh extends Wiring {
    @Override
    Pass pass(StreamSettings settings, Digest digest) {
      return new Pass(settings, digest) {
        @Override
        Ruling rule(Fetch fetch, Key key, long hash, Row row, long nowNanos) {
          Ruling ruling = super.rule(fetch, key, hash, row, nowNanos);
          if (ruling == Ruling.NO_ROOM) {
            see(fetch, key, nowNanos);
          }
          return ruling;
        }
      };
    }
  }

  /** The oldest dead letters of a date range make no room for new ones. */
  static final class DeadLettersStay extends Wiring {
    @Override
    Pass pass(StreamSettings settings, Digest digest) {
      return new Pass(settings, digest) {
        @Override
        Ruling reject(Fetch fetch, Key deadLetter, long hash) {
          boolean hasRoom = digest.deadLetters() < settings.digestMaxKeys();
          return hasRoom || digest.contains(deadLetter)
              ? super.reject(fetch, deadLetter, hash)
              : Ruling.NO_ROOM;
        }
      };
    }
  }

  /** The rows of one key are numbered in the order in which they come. */
  static final class NumbersByPlace extends Wiring {
    @Override
    Pass pass(StreamSettings settings, Digest digest) {
      return new Pass(settings, digest) {
        @Override
        Occurrences.State state(Fetch fetch, Key key, OptionalLong hash) {
          return Occurrences.State.OTHER;
        }
      };
    }
  }

  /** Of a row's bytes only their number counts. */
  static final class BytesCollide extends Wiring {
    @Override
    boolean bytesCollide() {
      return true;
    }
  }

  /** A page that is refused counts as the end of the list. */
  static final class RefusalIsTheEnd extends Wiring {
    @Override
    boolean takesRefusalForEnd() {
      return true;
    }
  }

  /** What arrives damaged is emitted at first sight. */
  static final class DamageIsBelieved extends Wiring {
    @Override
    Pass pass(StreamSettings settings, Digest digest) {
      return new Pass(settings, digest) {
        @Override
        Damage damage() {
          return new Damage() {
            @Override
            boolean holdsBack(Key row) {
              return false;
            }
          };
        }
      };
    }
  }

  /** Classifying a row and putting its record into the buffer are two steps. */
  static final class OvertakingRecords extends Wiring {
    @Override
    boolean swapsNeighbours() {
      return true;
    }
  }

  /** A body that breaks off counts as complete, and missing rows as deleted. */
  static final class TruncatedIsWhole extends Wiring {
    @Override
    boolean takesTruncatedForWhole() {
      return true;
    }
  }

  /** A lost segment counts as one that was never stored. */
  static final class LostIsEmpty extends Wiring {
    @Override
    OffsetStorageReader reader(OffsetStorageReader reader) {
      return new OffsetStorageReader() {
        @Override
        public <T> Map<String, Object> offset(Map<String, T> partition) {
          return reader.offset(partition);
        }

        @Override
        public <T> Map<Map<String, T>, Map<String, Object>> offsets(
            Collection<Map<String, T>> partitions) {
          Map<Map<String, T>, Map<String, Object>> answer = new HashMap<>();
          reader.offsets(partitions).forEach((key, value) -> answer.put(key, unmarked(value)));
          return answer;
        }
      };
    }

    private static Map<String, Object> unmarked(Map<String, Object> offset) {
      if (offset == null || !offset.containsKey("watermark")) {
        return offset;
      }
      Map<String, Object> unmarked = new HashMap<>(offset);
      unmarked.computeIfPresent(
          "digest",
          (name, vouched) ->
              vouched
                  .toString()
                  .replaceFirst(".* slots", "segment 1 length 0 sum 0000000000000000 slots"));
      return unmarked;
    }
  }
}
