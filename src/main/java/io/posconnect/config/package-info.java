/**
 * Every setting of the connector: its name, default, validator and documentation, once.
 *
 * <p>No other room knows the name of a setting. What leaves this room is typed: durations, enums,
 * records and the {@link io.posconnect.resource.Resource} that a stream reads. A setting stands in
 * the table of its group; from the tables come the one {@code ConfigDef}, the overrides under
 * {@code resources.} and {@code locations.}, and {@code docs/settings.md}. What one setting cannot
 * know of itself is a rule of {@code ConfigRules}. TLS has Kafka's own settings.
 *
 * <p>A value is looked up as the location's, the resource's, the general one as given, the
 * catalog's default, the general default; only {@code LayeredConfig} knows that order. A name under
 * {@code resources.} or {@code locations.} that is no setting is refused, since a typo there would
 * otherwise pass as a default.
 *
 * <p>Whatever is wrong is told under a problem of the catalog. Secrets are of type {@code PASSWORD}
 * from the first to the last step; no message of this room repeats one, nor an address that may
 * hold one. A general key is never sent to an address that a location has for itself.
 */
@NullMarked
package io.posconnect.config;

import org.jspecify.annotations.NullMarked;
