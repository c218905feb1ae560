package io.posconnect.config;

import io.posconnect.record.RowErrors;
import java.time.Duration;
import java.time.Instant;

/**
 * Tells one stream what is set for it beside its {@link io.posconnect.resource.Resource}.
 *
 * @param startFrom where a date range's first read begins; {@link Instant#MAX} for the time of that
 *     read
 * @param windowMax the longest window of a date range
 * @param reconcileInterval from the start of one reconciliation to the next; zero for never
 * @param reconcileWindow how far back a date range's reconciliation reaches; zero for no
 *     reconciliation
 * @param snapshotId a new value asks for one more snapshot; empty at first
 * @param deletesMaxRatio the share of the known keys above which a loss is not believed at once
 * @param deletesConfirm how long such a loss waits for its confirming read
 * @param digestMaxKeys the most keys that are remembered
 * @param digestBuckets into how many offsets they are spread; fixed for a stream's life
 * @param checkpointInterval the shortest time between two checkpoints of unchanged windows
 * @param rowErrors what becomes of a row that cannot be an event
 */
public record StreamSettings(
    Instant startFrom,
    Duration windowMax,
    Duration reconcileInterval,
    Duration reconcileWindow,
    String snapshotId,
    double deletesMaxRatio,
    Duration deletesConfirm,
    int digestMaxKeys,
    int digestBuckets,
    Duration checkpointInterval,
    RowErrors rowErrors) {}
