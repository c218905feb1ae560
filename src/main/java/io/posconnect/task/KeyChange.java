package io.posconnect.task;

import io.posconnect.offset.BucketReader.Foreign;
import io.posconnect.offset.BucketReader.Restored;
import io.posconnect.offset.BucketSet;
import io.posconnect.offset.StreamOffset;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import io.posconnect.task.OffsetLoader.Wanted;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/**
 * Tells that a stream's keys are made of other fields than those under which its rows stand in the
 * topic.
 *
 * <p>Nobody can take that back: the old keys stay in the topic, and no event can tell consumers
 * which new key a row has. So it takes a second word, a new name for the snapshot, which also says
 * what must follow; without it the stream is left alone, and undoing the change loses nothing.
 *
 * @param before what the keys were made of
 * @param confirmed whether everything is read again under the new keys
 */
public record KeyChange(Stream stream, String before, String now, boolean confirmed) {

  /** Empty when the keys are what they were, or nobody stored what they were. */
  static Optional<KeyChange> of(Wanted wanted, Optional<StreamOffset> position, Restored restored) {
    boolean known = position.isPresent() && !position.get().rewound();
    return known ? known(wanted, position.get()) : unknown(wanted, position.isPresent(), restored);
  }

  private static Optional<KeyChange> known(Wanted wanted, StreamOffset position) {
    String before = position.keys();
    if (before.equals(wanted.keys())) {
      return Optional.empty();
    }
    boolean confirmed = !OffsetLoader.isNamed(position.snapshotId(), wanted.snapshotId());
    return Optional.of(new KeyChange(wanted.stream(), before, wanted.keys(), confirmed));
  }

  /**
   * A person has reset the position, or there was none yet: the buckets alone tell. Those of other
   * names may be left over from long ago and count only when there is nothing else.
   */
  private static Optional<KeyChange> unknown(Wanted wanted, boolean rewound, Restored restored) {
    Predicate<Foreign> named =
        foreign -> OffsetLoader.isNamed(foreign.snapshotId(), wanted.snapshotId());
    boolean same = restored.foreign().stream().anyMatch(named);
    if (!same && (restored.foreign().isEmpty() || !restored.present().equals(BucketSet.NONE))) {
      return Optional.empty();
    }
    String before = keys(restored.foreign(), same ? named : foreign -> true);
    return Optional.of(new KeyChange(wanted.stream(), before, wanted.keys(), !(rewound && same)));
  }

  private static String keys(Set<Foreign> all, Predicate<Foreign> which) {
    return all.stream()
        .filter(which)
        .map(Foreign::keys)
        .distinct()
        .sorted()
        .collect(Collectors.joining(" and "));
  }

  /** For the log, once the change takes effect. */
  String warning(String snapshotId) {
    return Problem.KEYS_REPLACED.at(
        stream.id(),
        "keys are made of "
            + now
            + " from now on, no longer of "
            + before
            + "; snapshot \""
            + snapshotId
            + "\" emits every row under its new key, and nothing deletes the old keys");
  }

  /** Why the stream is not read. */
  String refusal() {
    String prefix = "resources." + stream.resource() + ".";
    return Problem.KEY_FIELDS_CHANGED.at(
        stream.id(),
        "keys would be made of "
            + now
            + ", and its rows stand in the topic under keys of "
            + before
            + "; nothing is read or deleted, since "
            + prefix
            + "key.fields (or its .occurrences, its schema or decimal.handling.mode) was changed and"
            + " neither snapshot.id nor "
            + prefix
            + "snapshot.id was");
  }
}
