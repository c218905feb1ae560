/**
 * Every setting of the connector: its name, default, check and documentation, once.
 *
 * <p>No other room knows the name of a setting. What leaves this room is typed: durations, enums,
 * records and the {@link io.posconnect.resource.Resource} that a stream reads. A setting is one
 * {@code Setting} in one of the tables ({@code ServiceSettings}, {@code ReadingSettings}, {@code
 * RecordSettings}, {@code RunningSettings}); from them come the one {@code ConfigDef}, the
 * overrides under {@code resources.} and {@code locations.}, and the tables of the README.
 *
 * <p>A value is looked up as the location's, the resource's, the general one as given, the
 * catalog's default, the general default. A name under {@code resources.} or {@code locations.}
 * that is no setting is refused, since a typo there would otherwise pass as a default.
 *
 * <p>Secrets are of type {@code PASSWORD} from the first to the last step; no message of this room
 * repeats one, nor an address that may hold one.
 */
@NullMarked
package io.posconnect.config;

import org.jspecify.annotations.NullMarked;
