/**
 * Everything that Connect stores for us, and its forms: which map stands for a stream's position or
 * for one segment of its digest, and what is in the offset of each.
 *
 * <p>This room imports {@code resource}, {@code change} and {@code problem} only, and Connect's
 * exceptions. Offsets are a documented control plane: what a person may read is plain text, what a
 * person may write is checked here, and what is damaged is distinguished from what was never
 * stored.
 *
 * <p>Connect stores no offset without a record, so a damaged slot cannot be cleared. Instead each
 * segment and position names, by a mark of slot and content, the damage that its snapshot replaced:
 * named damage is no loss. It is named only once a snapshot answers it, and written over first. A
 * mark is of the content, so new damage of the same slot is a loss again. While that snapshot runs
 * and has not written over all of it, each start begins a new numbering, since the same damage may
 * have come again.
 *
 * <p>A changed form has a new version: a build reads every version up to its own and refuses later
 * ones by name. Before 0.1.0 several forms had version 1. The last of them is read. A whole segment
 * that is not of that form is of an earlier one: it is announced under its own problem, never as
 * damage, and everything is emitted once more. To refuse it would stop all streams of the task
 * until somebody deletes offsets, which ends in the same snapshot.
 *
 * <p>A source partition is a map of a single entry, since Connect compares partitions by their
 * serialised form, in the order of iteration.
 */
@NullMarked
package io.posconnect.offset;

import org.jspecify.annotations.NullMarked;
