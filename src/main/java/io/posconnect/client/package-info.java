/**
 * One request in, rows out: HTTP, limits and the policy of retries, all without sleeping.
 *
 * <p>Nothing here waits or tries again: a limiter and a retry policy return a delay, and the caller
 * keeps it. Every failure is an {@link io.posconnect.client.ApiException} whose message begins with
 * a code of the catalog. No key and no body ever reaches a message of an exception or a log.
 */
@NullMarked
package io.posconnect.client;

import org.jspecify.annotations.NullMarked;
