/**
 * Reads the configuration: the name, default, validator and documentation of every setting, once.
 *
 * <p>No other room reads a setting by its name, but messages name settings, and the tool gives some
 * a value. Other rooms get typed values: durations, enums, records and the {@link
 * io.posconnect.resource.Resource} that a stream reads. Each setting stands in the table of its
 * group; the tables make the one {@code ConfigDef}, the overrides under {@code resources.} and
 * {@code locations.}, and {@code docs/settings.md}. TLS has Kafka's own settings.
 *
 * <p>A value owns its rules: {@code Validators} asks it, and its {@link IllegalArgumentException}
 * becomes a fault of the setting. {@code ConfigRules} has the rules between settings.
 *
 * <p>Precedence: location, resource, general value, catalog default, general default; only {@code
 * Overrides} knows it. A name under {@code resources.} or {@code locations.} that is not a setting
 * is refused, and so is a setting in the wrong scope: it would otherwise pass as a default.
 *
 * <p>Every fault is a problem of the catalog. Secrets have type {@code PASSWORD} throughout; no
 * message repeats one, nor an address that may hold one. A general key is never sent to a
 * location's own address.
 */
@NullMarked
package io.posconnect.config;

import org.jspecify.annotations.NullMarked;
