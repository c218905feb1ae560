/**
 * One location: its client, its key and its limits.
 *
 * <p>All streams of a task that read a location share its client, its clock and its limits, since
 * the service counts by key and does not know streams. All locations of a configuration that are
 * reached in the same way share connections, threads and certificates. A key may change at any
 * time: every later request carries the new one, and the location is asked for its store again.
 *
 * <p>This room turns settings into clients, so that {@code client} need not know the configuration,
 * and {@code task} and {@code validation} need not know the transport.
 */
@NullMarked
package io.posconnect.location;

import org.jspecify.annotations.NullMarked;
