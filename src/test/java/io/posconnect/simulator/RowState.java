package io.posconnect.simulator;

import java.util.Objects;

/**
 * All that is kept of a row: enough to render its JSON again at any time. Immutable.
 *
 * @param id unique in its table; the row's key where the resource has one
 * @param seed decides every field that no change touches; two rows may share it
 * @param link id of the row of another resource that this one belongs to
 * @param created milliseconds since the epoch
 * @param modified milliseconds since the epoch; what the modified-date filters look at
 * @param revision 1 at first, one more with every real change
 * @param spelling another number spells the same content differently
 * @param text the row's exact text, or null to render it from the seed
 */
record RowState(
    long id,
    long seed,
    long link,
    long created,
    long modified,
    int revision,
    int spelling,
    String text) {

  RowState revised(long modifiedMillis, String newText) {
    return new RowState(id, seed, link, created, modifiedMillis, revision + 1, spelling, newText);
  }

  RowState touched(long modifiedMillis, String newText) {
    return new RowState(id, seed, link, created, modifiedMillis, revision, spelling, newText);
  }

  RowState respelled() {
    return new RowState(id, seed, link, created, modified, revision, spelling + 1, text);
  }

  /** Whether both show a client the same content, whatever the spelling. */
  boolean sameContent(RowState other) {
    return id == other.id
        && revision == other.revision
        && modified == other.modified
        && Objects.equals(text, other.text);
  }
}
