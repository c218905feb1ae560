/**
 * Everything that Connect stores for us, and its forms: which map stands for a stream's position or
 * for one segment of its digest, and what is in the offset of each.
 *
 * <p>This room imports {@code resource}, {@code change} and {@code problem} only, and Connect's
 * exceptions. Offsets are a documented control plane: what a person may read is plain text, what a
 * person may write is checked here, and what is damaged is distinguished from what was never
 * stored.
 *
 * <p>A source partition is a map of a single entry, since Connect compares partitions by their
 * serialised form, in the order of iteration.
 */
@NullMarked
package io.posconnect.offset;

import org.jspecify.annotations.NullMarked;
