/**
 * Change detection: one hash of a row's content, and a memory of the last emitted content of each
 * key.
 *
 * <p>This room imports {@code resource} and {@code json} only. It knows neither Kafka nor how its
 * state is stored: room {@code offset} reads an immutable {@link io.posconnect.change.Image}, and
 * restores with {@link io.posconnect.change.Digest#restore}. The hashes of contents and the
 * checksums of segments are stored, so they never change; tests hold golden values.
 *
 * <p><b>The same bytes are the same row.</b> Most rows did not change, so {@link
 * io.posconnect.change.KnownBytes} remembers which bytes had which key and content. It is no memory
 * of rulings: whether a row is a change is decided as for a row that was parsed.
 *
 * <p><b>The digest is a log.</b> Connect commits each source partition by itself, so a digest that
 * is spread over partitions by key must rewrite a whole part for each change, and one that moves
 * entries between partitions can vouch for a record that is not written yet. Here a record appends
 * its entry to the last segment of a log and carries that segment, whatever its key: {@link
 * io.posconnect.change.SegmentLog}. Its rules:
 *
 * <ul>
 *   <li>The oldest segment's entries that are still needed are carried to the end a few at a time,
 *       and only while the last segment has room: so no image grows beyond its bound, and none is
 *       made of carried entries alone, which no record would write.
 *   <li>A segment is released when each of its keys has a copy in a segment all of whose records
 *       are acknowledged. A copy whose record a transform dropped is carried again.
 *   <li>With at-least-once delivery acknowledgements come out of order, so what was acknowledged is
 *       no measure of what is complete: a fetch's end is marked, and only images up to it count for
 *       its checkpoint.
 *   <li>A removed key stays in the table until the segment of its removal is released. A forgotten
 *       key has no entry, and may be known again after a restart, which does no harm.
 *   <li>The last segment is never released: so a digest of which nothing is stored is lost, not
 *       empty.
 * </ul>
 */
@NullMarked
package io.posconnect.change;

import org.jspecify.annotations.NullMarked;
