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
    offsets.forEach(
        (partition, offset) -> {
          if (offset == null || moved.stream().noneMatch(memory -> isOf(memory, partition))) {
            OffsetRules.validate(config.streams(), partition, offset, now);
          }
        });
    moved.forEach(memory -> check(config, memory, now));
  }

  private static boolean isOf(StreamMemory memory, @Nullable Map<String, ?> partition) {
    return StreamPartition.parse(partition).stream().equals(memory.stream());
  }

  private static void check(SourceConfig config, StreamMemory memory, Instant now) {
    Stream stream = memory.stream();
    OffsetRules.expectConfigured(config.streams(), stream);
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
