/**
 * Sends requests and reads rows: HTTP, rate limits and the policy of retries, all without waiting.
 *
 * <p>A limiter and a retry policy return a delay, and the caller keeps it. Redirects within the
 * service's origin are followed; nothing else is sent twice. Every failure is an {@link
 * io.posconnect.client.ApiException} that holds an incident of the catalog. No key and no body ever
 * reaches a message of an exception or a log.
 */
@NullMarked
package io.posconnect.client;

import org.jspecify.annotations.NullMarked;
