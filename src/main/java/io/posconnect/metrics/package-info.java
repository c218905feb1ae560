/**
 * The metrics of a task and of each of its streams.
 *
 * <p>Law: this room imports {@code resource} and {@code problem} only. Other rooms set metrics and
 * never read them, so no metric decides whether data flow: if JMX refuses them, the task logs it
 * once and goes on. No metric holds a key or a body.
 *
 * <p>A new metric is one line in {@code Metric}: name, meaning and value. Kafka's reporter shows it
 * under that name with its meaning as description, and {@code docs/metrics.md} is generated from
 * it.
 *
 * <p>Decisions:
 *
 * <ul>
 *   <li>Kafka's own {@code Metrics} and {@code JmxReporter}, as in MirrorMaker: the same on every
 *       worker from 3.6 on, and read by whatever reads the worker's own metrics.
 *   <li>Not the worker's plugin metrics (since 4.1): all plugins of a worker share the names of
 *       sensors there, and older workers lack them.
 *   <li>Gauges over adders and no sensors, since a sensor locks for each record. Rates sample the
 *       totals at each request, each complete fetch and each reading.
 *   <li>A task that starts before its predecessor has ended takes over its names. Tasks know each
 *       other within one version of the plugin. If a worker runs two versions side by side, a
 *       predecessor of the other version that ends late removes the newer one's metrics from JMX
 *       until the next start.
 * </ul>
 */
@NullMarked
package io.posconnect.metrics;

import org.jspecify.annotations.NullMarked;
