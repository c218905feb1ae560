/**
 * The metrics of a task and of each of its streams.
 *
 * <p>Law: this room imports {@code resource} and {@code problem} only. Other rooms set metrics and
 * never read them, so no metric decides whether data flow: if the worker refuses them, the task
 * logs it once and goes on. No metric holds a key or a body.
 *
 * <p>A new metric is one line in {@code Metric}: name, meaning and value. It is shown under that
 * name with its meaning as description, and {@code docs/metrics.md} is generated from it.
 *
 * <p>Decisions:
 *
 * <ul>
 *   <li>The worker's plugin metrics where it has them (Connect 4.1, KIP-877), as in MirrorMaker:
 *       every reporter of the worker has them, not JMX alone. Older workers lack the method, so
 *       there Kafka's {@code JmxReporter} shows them; never both at once.
 *   <li>Only {@code addMetric}: all plugins of a worker share the names of sensors.
 *   <li>Gauges over adders and no sensors, since a sensor locks for each record. No rates: whatever
 *       stores totals makes them, over any time.
 *   <li>A task that starts before its predecessor has ended takes over its names. Tasks know each
 *       other within one version of the plugin. If a worker runs two versions side by side, a
 *       predecessor of the other version that ends late keeps the names (before Connect 4.1 it
 *       removes the newer one's metrics from JMX), so the newer one has none until the next start.
 * </ul>
 */
@NullMarked
package io.posconnect.metrics;

import org.jspecify.annotations.NullMarked;
