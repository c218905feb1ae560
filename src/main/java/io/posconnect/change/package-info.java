/**
 * What is new about a row: one hash of its content, and a memory of what was last said about each
 * key.
 *
 * <p>This room imports {@code resource} only. It knows neither Kafka nor how its state is stored:
 * whoever stores it reads an immutable {@link io.posconnect.change.BucketView} of a bucket, and
 * whoever restores it calls {@link io.posconnect.change.Digest#load}. Both hashes in here (of
 * contents, and of text keys into buckets) are stored by others, so they never change; tests hold
 * golden values.
 */
@NullMarked
package io.posconnect.change;

import org.jspecify.annotations.NullMarked;
