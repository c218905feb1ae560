package io.posconnect.simulator;

import java.time.Instant;

/**
 * One thing that a client was shown about a row.
 *
 * @param revision of the row; 0 when it was absent
 * @param modified the time of modification that the row had; the epoch when it was absent
 * @param present false: a complete, unfiltered list did not hold the row any more
 * @param whole whether a response that showed it was sent to its end; one that broke off may or may
 *     not have reached the client
 * @param at when the first response that showed it ended
 */
public record Served(int revision, Instant modified, boolean present, boolean whole, Instant at) {}
