/**
 * The quick start: a cluster, a simulated location on a busy day, the connector between them, and
 * every change on the screen. It uses the cluster, the simulator and the packaged archive as a
 * stranger would, and is tested by being run.
 */
@NullMarked
package io.posconnect.demo;

import org.jspecify.annotations.NullMarked;
