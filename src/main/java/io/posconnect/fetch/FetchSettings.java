package io.posconnect.fetch;

import io.posconnect.record.BrokenRowException.RowErrors;
import java.time.Duration;
import java.time.Instant;

/**
 * How one stream is to be fetched, apart from what its {@code Resource} says.
 *
 * @param startFrom where a date range's first read begins; {@link Instant#MAX} for the time of the
 *     start
 * @param windowMax longest slice of a date range
 * @param reconcileInterval from one reconciliation to the next; zero for none
 * @param reconcileWindow how far a date range's reconciliation reaches back
 * @param exactlyOnce whether records and offsets commit together; otherwise the first window after
 *     a start is emitted whatever the digest says
 * @param checkpointInterval how often an unchanged stream tells that it is alive
 * @param deletesMaxRatio the share of keys that may vanish at once without a second look
 * @param deletesConfirm how much later that second look is
 * @param digestMaxKeys most keys that may be remembered
 * @param errorsRows what becomes of a broken row
 * @param probeBackoffMax longest pause between two probes of a refused stream
 */
public record FetchSettings(
    Instant startFrom,
    Duration windowMax,
    Duration reconcileInterval,
    Duration reconcileWindow,
    boolean exactlyOnce,
    Duration checkpointInterval,
    double deletesMaxRatio,
    Duration deletesConfirm,
    int digestMaxKeys,
    RowErrors errorsRows,
    Duration probeBackoffMax) {}
