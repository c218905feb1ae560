/**
 * One location: how it is reached, with which key, and within which limits.
 *
 * <p>All streams of a task that read a location share its client, its clock and its limits, for the
 * service counts by key and knows of no streams. All locations of a configuration that are reached
 * in the same way share connections, threads and certificates. A key may change at any time: what
 * is read next is read with the new one, once it has said whose it is.
 *
 * <p>This room turns settings into clients, so that {@code client} need not know the configuration,
 * and {@code task} and {@code validation} need not know the transport.
 */
@NullMarked
package io.posconnect.location;

import org.jspecify.annotations.NullMarked;
