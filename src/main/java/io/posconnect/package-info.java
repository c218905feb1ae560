/**
 * The classes that Kafka Connect loads: {@link io.posconnect.PosSourceConnector} validates and
 * deals out streams, {@link io.posconnect.PosSourceTask} is a shell around {@link
 * io.posconnect.task.RunningTask}, which exists only between a successful start and the stop.
 */
@NullMarked
package io.posconnect;

import org.jspecify.annotations.NullMarked;
