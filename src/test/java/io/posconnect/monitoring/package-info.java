/**
 * Checks {@code config/monitoring}: the metrics of rules and panels exist, every alert has a
 * paragraph and tests, and alerts fire and resolve on a real cluster.
 */
@NullMarked
package io.posconnect.monitoring;

import org.jspecify.annotations.NullMarked;
