package io.posconnect.task;

import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;

/**
 * Tells that a stream's keys are made of other fields than those under which its rows stand in the
 * topic.
 *
 * <p>Nobody can take that back: the old keys stay in the topic, and no event can tell consumers
 * which new key a row has. So it takes a second word, a new name for the snapshot, which also says
 * what must follow; without it the stream is left alone, and undoing the change loses nothing.
 *
 * @param before what the keys were made of
 */
record KeyChange(Stream stream, String before, String now) {

  /** For the log, once the change takes effect. */
  String warning() {
    return Problem.KEYS_REPLACED.at(
        stream.id(),
        "keys are made of "
            + now
            + " from now on, no longer of "
            + before
            + "; every row is emitted under its new key, and nothing deletes the old keys");
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
            + "key.fields (or its .occurrences, its schema, decimal.handling.mode or"
            + " schema.namespace) was changed and neither snapshot.id nor "
            + prefix
            + "snapshot.id was");
  }
}
