/**
 * A real cluster for tests and for the quick start: broker, schema registry and Connect workers,
 * each a JVM of its own on free loopback ports, that can be stopped, killed and brought back.
 *
 * <p>{@link io.posconnect.cluster.Cluster} is the door; each process is a {@link
 * io.posconnect.cluster.Node}. Brokers may also come from elsewhere, such as a container. What the
 * processes run is provisioned by the build under {@code target/cluster}; the worker loads the
 * packaged component archive, never our classes. This room knows nothing of the connector but that
 * archive.
 *
 * <p>No child outlives the JVM that started it: a shutdown hook ends them, and each child ends
 * itself, or is ended by the shell around it, when its standard input closes, which even a killed
 * parent cannot prevent.
 */
@NullMarked
package io.posconnect.cluster;

import org.jspecify.annotations.NullMarked;
