/**
 * One request in, rows out: HTTP, JSON, limits and the policy of retries, all without sleeping.
 *
 * <p>Nothing here waits or tries again: a limiter and a retry policy return a delay, and the caller
 * keeps it. A body is parsed as it arrives and never held whole. No key and no body ever reaches a
 * message of an exception or a log.
 */
@NullMarked
package io.posconnect.client;

import org.jspecify.annotations.NullMarked;
