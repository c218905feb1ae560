/**
 * What a person watches: the metrics of a task and of each of its streams.
 *
 * <p>Law: this room imports {@code resource} and {@code problem} only. Metrics are told, they never
 * ask, and they never decide whether data flow: what JMX refuses is logged once, and the task goes
 * on. No metric holds a key or a body.
 *
 * <p>A new metric is one line in {@link io.posconnect.metrics.StreamMetrics} or {@link
 * io.posconnect.metrics.TaskMetrics}: name, meaning and value. Kafka's reporter shows it under that
 * name, with its meaning as description, and {@code docs/metrics.md} is generated from it.
 *
 * <p>Decisions:
 *
 * <ul>
 *   <li>Kafka's own {@code Metrics} and {@code JmxReporter}, as MirrorMaker has them: the same on
 *       every worker from 3.6 on, and read by whatever reads the worker's own.
 *   <li>Not the worker's plugin metrics (since 4.1): names of sensors are common to all plugins of
 *       a worker there, older workers lack them, and one way to see a number is enough.
 *   <li>Gauges over adders and no sensors, since a sensor locks for each record. Rates look at the
 *       totals at each request, each complete fetch and each reading.
 *   <li>A task that starts before its forerunner has ended takes over its names. Tasks know each
 *       other within one version of the plugin; where a worker runs two side by side, a forerunner
 *       of the other version that ends late takes the newer one's metrics out of JMX until the next
 *       start.
 * </ul>
 */
@NullMarked
package io.posconnect.metrics;

import org.jspecify.annotations.NullMarked;
