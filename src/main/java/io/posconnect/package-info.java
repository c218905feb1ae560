/**
 * The connector as the worker sees it: it wires the rooms together, and nothing else does.
 *
 * <p>{@link io.posconnect.PosSourceConnector} checks a configuration and hands out streams; a task
 * owns the streams that it was given. A connector does no network call in {@code start}: only a
 * configuration on trial is tried against the service.
 */
@NullMarked
package io.posconnect;

import org.jspecify.annotations.NullMarked;
