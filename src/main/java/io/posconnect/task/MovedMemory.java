package io.posconnect.task;

import io.posconnect.config.SourceConfig;
import io.posconnect.offset.OffsetRules;
import io.posconnect.offset.StreamMemory;
import io.posconnect.offset.StreamPartition;
import io.posconnect.resource.Stream;
import io.posconnect.task.OffsetLoader.StreamToResume;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;

/**
 * Validates a request to alter stored offsets: beside what {@link OffsetRules} allow, the whole
 * memory of a stream may be given, if the stream would go on from it without emitting anything
 * twice. What is stored already cannot be seen here: a mixture with it is found at the start.
 */
public final class MovedMemory {

  private MovedMemory() {}

  /**
   * Checks a request.
   *
   * @throws ConnectException when something in it is not allowed; the message states what is
   */
  public static void validate(
      SourceConfig config,
      Map<? extends Map<String, ?>, ? extends @Nullable Map<String, ?>> offsets,
      Instant now) {
    List<StreamMemory> moved =
        StreamMemory.of(offsets).stream().filter(StreamMemory::hasPosition).toList();
    // Sets, since a request may name every partition of thousands of streams.
    Set<Stream> whole = moved.stream().map(StreamMemory::stream).collect(Collectors.toSet());
    Set<Stream> streams = Set.copyOf(config.streams());
    offsets.forEach(
        (partition, offset) -> {
          if (offset == null || !whole.contains(StreamPartition.parse(partition).stream())) {
            OffsetRules.validate(streams, partition, offset, now);
          }
        });
    moved.forEach(memory -> check(config, streams, memory, now));
  }

  private static void check(
      SourceConfig config, Set<Stream> streams, StreamMemory memory, Instant now) {
    Stream stream = memory.stream();
    OffsetRules.expectConfigured(streams, stream);
    StreamToResume here =
        StreamToResume.of(config, stream, RecordContracts.contract(config, stream));
    Resumption.Stored stored =
        new Resumption.Stored(Optional.of(memory.position()), Optional.empty(), memory.digest());
    ResumePlan plan = Resumption.decide(here, stored, now);
    if (plan instanceof ResumePlan.Restart restart) {
      throw memory.refused(restart.reason().detail());
    }
    if (plan instanceof ResumePlan.Refuse refusal) {
      throw memory.refused(refusal.reason().detail());
    }
  }
}
