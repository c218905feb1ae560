/**
 * Reads the streams: when each is due, what of it is news, and when a position may be remembered.
 *
 * <p>This room may use {@code client}, {@code change}, {@code record}, {@code offset} and {@code
 * metrics}. What it needs of a location it declares as {@link io.posconnect.fetch.Location}. It
 * asks no retrieval for its class: a {@link io.posconnect.resource.Retrieval} says how its fetches
 * follow one another, and {@link io.posconnect.fetch.FetchPlan#of} is the one place that chooses by
 * it.
 *
 * <p><b>One request at a time per stream.</b> A {@link io.posconnect.fetch.StreamFetcher} is driven
 * in steps of one request by whichever thread of the {@link io.posconnect.fetch.Scheduler} is free;
 * between two steps the stream waits in the schedule, not on a thread. So classifying a row, taking
 * the image of its segment and putting its record into the {@link io.posconnect.fetch.Buffer} is
 * one step under the stream's own order, and images leave in order.
 *
 * <p><b>The barrier.</b> Connect commits offsets in order within one source partition only, and the
 * digest lives in other partitions than the watermark. A watermark that commits before the records
 * it vouches for would lose them at a crash. So a checkpoint leaves only after <em>every</em>
 * record that its stream emitted before has been acknowledged, those of earlier, broken fetches
 * included: a broken fetch may have emitted a row that the retry finds unchanged. The {@link
 * io.posconnect.fetch.AckTracker} keeps that count.
 *
 * <p><b>Why a reconciliation beside increments neither loses, repeats nor reverts.</b> An increment
 * runs right before a reconciliation. Every key that it, or any increment until the
 * reconciliation's end, returned is <em>fresh</em>: the reconciliation leaves it alone, since its
 * body, or a stale replica behind it, may be older than what the increment said. A key that is not
 * fresh did not change within the lookback, so whatever the reconciliation says of it is not older
 * than what was said before. A row of the list that an increment returned within the lookback, and
 * the one before the reconciliation did not, is gone since: the list is older, and not believed. A
 * key that the reconciliation did not return, and that is not fresh, is missing; where rows may
 * shift between pages it must be missing from two passes. Nothing is repeated, since the
 * reconciliation is classified against the same digest.
 *
 * <p><b>Retention.</b> Every key is remembered until there are {@code digest.max.keys}; what is
 * given up then, and what is refused, is decided by {@link io.posconnect.fetch.Room}.
 *
 * <p><b>Numbers.</b> An event's number is part of the state that its record commits, so exactly
 * once it has neither gap nor repeat over crashes. A checkpoint carries the number of the latest
 * event that it vouches for.
 *
 * <p><b>A key twice.</b> Within one response the first row of a key counts and others with other
 * contents are dead letters. Across the pages of one fetch, or the windows of one reconciliation,
 * the later row counts, since rows change while they are read. When the same key does so in two
 * passes in a row, it is two rows: one is kept, the other a dead letter, told once. {@link
 * io.posconnect.fetch.KeyConflicts} has the rule, under which nothing is told back and forth for
 * ever, and a change that happens while a list is read is told at the latest two passes later.
 *
 * <p><b>Whose rows.</b> A location is asked who it is at most once a minute, and once more before
 * keys that a pass did not return are deleted: another store behind the same key would make every
 * row look deleted. The checkpoints remember the answer. While there is none, or another one than
 * before, nothing is deleted; what is there is read. Under another name the rows are compared with
 * what was said before any of them is believed: when at least half of at least 20 stand there as
 * they were said the store was renamed, else it is another one and its streams are suspended. Where
 * there are fewer to compare, another stream of the location may decide, or nothing is deleted.
 */
@NullMarked
package io.posconnect.fetch;

import org.jspecify.annotations.NullMarked;
