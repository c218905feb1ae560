/**
 * The engine: reads each stream when it is due, finds what changed, and decides when a position may
 * be stored.
 *
 * <p>This room may use {@code client}, {@code change}, {@code record}, {@code offset} and {@code
 * metrics}. What it needs of a location it declares as {@link io.posconnect.fetch.Location}. It
 * asks no retrieval for its class: {@link io.posconnect.fetch.FetchPlan#of} is the one place that
 * chooses by a retrieval's cycle.
 *
 * <p><b>Decide, do, report.</b> A stream is a state machine for one thread at a time. {@link
 * io.posconnect.fetch.StreamCycle} decides the next {@link io.posconnect.fetch.Step} and draws the
 * consequences of its {@link io.posconnect.fetch.Outcome}; it does no input or output. {@link
 * io.posconnect.fetch.StreamFetcher} performs the step: the only input and output, and the only
 * catch. {@link io.posconnect.fetch.StreamReporter} reports each {@link
 * io.posconnect.fetch.Report}: the only log, metrics and status.
 *
 * <p><b>One step at a time per stream.</b> The {@link io.posconnect.fetch.Scheduler} hands a due
 * stream to a pool of threads for one step; between two steps the stream waits in a queue, not on a
 * thread. So classifying a row, taking the image of its segment and putting its record into the
 * {@link io.posconnect.fetch.Buffer} is one step under the stream's own order, and images leave in
 * order.
 *
 * <p><b>The rules of a pass</b>, which rows are changes and which keys are gone, stand in {@link
 * io.posconnect.fetch.Pass} and {@link io.posconnect.fetch.DeleteDetector}.
 *
 * <p><b>The barrier.</b> Connect commits offsets in order within one source partition only, and the
 * digest lives in other partitions than the watermark. A watermark that commits before the records
 * it vouches for would lose them at a crash. So a checkpoint leaves only after <em>every</em>
 * record that its stream emitted before has been acknowledged, those of earlier, broken fetches
 * included: a broken fetch may have emitted a row that the retry finds unchanged. {@link
 * io.posconnect.fetch.AckTracker} keeps that count, and {@link io.posconnect.fetch.PolledRecords}
 * finds the records that count as acknowledged because a transform dropped them.
 *
 * <p><b>Why a reconciliation beside increments neither loses, repeats nor reverts.</b> An increment
 * runs right before a reconciliation. Every key that it, or any increment until the
 * reconciliation's end, returned is <em>fresh</em>: the reconciliation leaves it alone. A key that
 * is not fresh did not change within the lookback, so the reconciliation is not older than the last
 * event of that key. A key that the reconciliation did not return, and that is not fresh, is
 * missing; where rows may shift between pages it must be missing from two passes.
 *
 * <p><b>Retention.</b> A stream remembers every key until {@code digest.max.keys}; {@link
 * io.posconnect.fetch.DigestCapacity} has the two answers at that ceiling.
 *
 * <p><b>Whose rows.</b> A location is asked who it is at most once a minute, once more after a
 * stream's first rows, so that there is proof whose they are, and before keys are deleted: another
 * store behind the same key would make every row look deleted. {@link
 * io.posconnect.fetch.StoreGuard} answers what a stream may do, and {@link
 * io.posconnect.fetch.StoreComparison} compares the rows of a location that gives another name.
 * Whether the service accepts the key is one state of the location, {@link
 * io.posconnect.fetch.LocationKey}, which its streams follow.
 */
@NullMarked
package io.posconnect.fetch;

import org.jspecify.annotations.NullMarked;
