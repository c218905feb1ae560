package io.posconnect.config;

import io.posconnect.record.RowErrors;
import java.time.Duration;

/**
 * What one stream is told beside its {@link io.posconnect.resource.Resource}.
 *
 * @param startFrom where a date range's first read begins
 * @param windowMax the longest slice of a date range
 * @param sweepInterval from the start of one sweep to the next; zero for never
 * @param sweepWindow how far back a date range's sweep reaches; zero for no sweep
 * @param snapshotId a new value asks for one more snapshot; empty at first
 * @param deletesMaxRatio the share of the known keys above which a loss is not believed at once
 * @param deletesConfirm how long such a loss waits for its confirming read
 * @param digestMaxKeys the most keys that are remembered
 * @param digestBuckets into how many offsets they are spread; fixed for a stream's life
 * @param receiptsInterval the shortest time between two receipts of unchanged windows
 * @param rowErrors what becomes of a row that cannot be an event
 */
public record StreamSettings(
    StartFrom startFrom,
    Duration windowMax,
    Duration sweepInterval,
    Duration sweepWindow,
    String snapshotId,
    double deletesMaxRatio,
    Duration deletesConfirm,
    int digestMaxKeys,
    int digestBuckets,
    Duration receiptsInterval,
    RowErrors rowErrors) {}
