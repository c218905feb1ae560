package io.posconnect.task;

import io.posconnect.change.Digest;
import io.posconnect.change.Digest.Segments;
import io.posconnect.config.SourceConfig;
import io.posconnect.offset.DigestReader;
import io.posconnect.offset.DigestReader.Restored;
import io.posconnect.offset.DigestScope;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamPartition;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.StartFrom;
import io.posconnect.resource.Stream;
import io.posconnect.resource.StreamSettings;
import io.posconnect.task.Resumption.Stored;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.random.RandomGenerator;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Reads position and digest of all streams of a task back, in a few calls.
 *
 * @param clock of the beginnings of numberings
 * @param segments how digests are stored from now on
 * @param random names the process in what it stores
 */
public record OffsetLoader(
    OffsetStorageReader reader, InstantSource clock, Segments segments, RandomGenerator random) {

  /**
   * The settings that decide how a stream resumes.
   *
   * @param snapshotId the configured one
   * @param exactlyOnce whether records and offsets commit together
   * @param scope what its digest is of now
   * @param startFrom where its first read begins, if it is a date range
   * @param baseline whether that read emits nothing
   */
  public record StreamToResume(
      Stream stream,
      String snapshotId,
      boolean exactlyOnce,
      DigestScope scope,
      Optional<StartFrom> startFrom,
      boolean baseline) {

    static StreamToResume of(SourceConfig config, Stream stream, RowSchema contract) {
      StreamSettings settings = config.settings(stream);
      return new StreamToResume(
          stream,
          settings.snapshotId(),
          settings.exactlyOnce(),
          RecordContracts.scope(config, stream, contract),
          settings.beginning(),
          config.baseline(stream));
    }
  }

  /**
   * A stream that was read back.
   *
   * @param digest within the snapshot of the plan's offset
   */
  public record ResumedStream(ResumePlan plan, Digest digest) {

    public StreamOffset offset() {
      return plan.offset();
    }
  }

  private static final Logger log = LoggerFactory.getLogger(OffsetLoader.class);

  public Map<Stream, ResumedStream> restore(Collection<StreamToResume> streams) {
    List<Loading> all = begin(streams);
    // One call for all: asked one by one, thousands of partitions take seconds.
    for (List<Loading> more = all; !more.isEmpty(); ) {
      List<Map<String, String>> slots = new ArrayList<>();
      more.forEach(loading -> slots.addAll(loading.asked));
      Map<Map<String, String>, Map<String, Object>> offsets = reader.offsets(slots);
      more.forEach(loading -> loading.take(offsets));
      more = more.stream().filter(Loading::namesMore).toList();
    }
    Map<Stream, ResumedStream> resumed = new HashMap<>();
    long keys = 0;
    for (Loading each : all) {
      ResumePlan plan = Resumption.decide(each.stream, each.stored(), clock.instant());
      Digest digest = digest(each, plan.offset());
      log(each.stream.stream(), plan, digest);
      logLaterStart(each.stream, plan);
      logLateBaseline(each.stream, plan);
      resumed.put(each.stream.stream(), new ResumedStream(plan, digest));
      keys += digest.keys();
    }
    log.info("{} read back, {} known", Text.count(all.size(), "stream"), Text.count(keys, "key"));
    return resumed;
  }

  private List<Loading> begin(Collection<StreamToResume> streams) {
    Map<Map<String, String>, Map<String, Object>> positions =
        reader.offsets(
            streams.stream().map(each -> StreamPartition.position(each.stream()).toMap()).toList());
    return streams.stream()
        .map(
            each ->
                new Loading(each, positions.get(StreamPartition.position(each.stream()).toMap())))
        .toList();
  }

  private Digest digest(Loading loaded, StreamOffset offset) {
    return Digest.restore(
        loaded.restored.stored(offset.context().snapshot(), loaded.stream.scope()),
        loaded.restored.unreadable(),
        loaded.position.map(position -> position.vouched().sequence()).orElse(0L),
        segments,
        random);
  }

  /** A refusal and a notice are logged by the stream, which reports them as well. */
  private static void log(Stream stream, ResumePlan plan, Digest digest) {
    if (plan instanceof ResumePlan.Restart restart) {
      if (restart.reason().problem() == Problem.DIGEST_LOST) {
        log.error("{}", restart.reason());
      } else {
        log.warn("{}", restart.reason());
      }
    } else if (plan instanceof ResumePlan.Continue resumed) {
      Instant watermark = resumed.offset().watermark();
      log.debug(
          "{}: {} known, {}",
          stream,
          Text.count(digest.keys(), "key"),
          watermark.equals(Instant.MIN) ? "begins" : "resumes at " + watermark);
    }
  }

  /** An earlier beginning than the one that the position keeps needs another snapshot. */
  private void logLaterStart(StreamToResume stream, ResumePlan plan) {
    Instant kept = plan.offset().context().snapshot().start();
    stream
        .startFrom()
        .map(start -> start.resolve(clock.instant()))
        .filter(wanted -> wanted.isBefore(kept))
        .ifPresent(
            wanted ->
                log.warn(
                    "{}",
                    Problem.START_KEPT.incident(
                        stream.stream().id(),
                        "start.from stands for %s now, and the stream began at %s"
                            .formatted(wanted, kept))));
  }

  private static void logLateBaseline(StreamToResume stream, ResumePlan plan) {
    if (stream.baseline()
        && plan instanceof ResumePlan.Continue resumed
        && !resumed.offset().context().snapshot().isOfBaseline()) {
      log.warn("{}", Problem.BASELINE_IGNORED.incident(stream.stream().id()));
    }
  }

  private static final class Loading {
    private final StreamToResume stream;
    private final Optional<StreamOffset> position;
    private final Optional<Instant> rewind;
    private final Map<StreamPartition, Map<String, Object>> slots = new LinkedHashMap<>();
    private List<Map<String, String>> asked;
    private int next;
    private Restored restored = new Restored(List.of(), List.of(), "", Optional.empty());

    Loading(StreamToResume stream, @Nullable Map<String, Object> offset) {
      this.stream = stream;
      position = StreamOffset.fromMap(stream.stream(), offset);
      rewind = StreamOffset.rewoundTo(stream.stream(), offset);
      asked = partitions(position.map(p -> p.vouched().slots()).orElse(0));
    }

    private List<Map<String, String>> partitions(int known) {
      return DigestReader.partitions(stream.stream(), next, known);
    }

    void take(Map<Map<String, String>, Map<String, Object>> offsets) {
      for (Map<String, String> partition : asked) {
        Map<String, Object> offset = offsets.get(partition);
        if (offset != null && !offset.isEmpty()) {
          slots.put(StreamPartition.parse(partition), offset);
        }
      }
      next += asked.size();
      // Once for each round: a digest of many keys takes a while to decode.
      restored = DigestReader.read(position.orElse(null), slots);
      asked = partitions(restored.slots());
    }

    /** Returns whether the segments so far name slots near which others were not asked for. */
    boolean namesMore() {
      return !asked.isEmpty();
    }

    Stored stored() {
      return new Stored(position, rewind, restored);
    }
  }
}
