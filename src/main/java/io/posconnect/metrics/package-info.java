/**
 * What a person watches: the metrics of a task and of each of its streams.
 *
 * <p>This room imports {@code resource} only; the root package lets the fetchers' listener call it.
 * Metrics are told, they never ask: the methods of {@link io.posconnect.metrics.StreamMetrics} are
 * called on fetch threads, take no lock and allocate nothing for a row.
 *
 * <p>{@link io.posconnect.metrics.MetricTemplate} is the one list of what there is. From it come
 * the descriptions in JMX, the gauges in the worker's own metrics and the table in the README, so a
 * new metric is a getter in the bean and a row in that list.
 *
 * <p>A metric never decides whether data flow: what JMX or the worker refuses is logged, and the
 * task goes on without. No metric holds a key or a body.
 */
@NullMarked
package io.posconnect.metrics;

import org.jspecify.annotations.NullMarked;
