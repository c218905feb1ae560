/**
 * Turns changes into Kafka records: schemas, keys, envelopes, checkpoints and dead letters.
 *
 * <p>The law of this room: a schema comes from its declaration and the configuration, never from
 * data, and is built once. A value is typed where the schema declares it and it fits; whatever else
 * the service sent stands in the field {@code extra} as it was sent, so that the typed fields and
 * {@code extra} together are the row. A {@link io.posconnect.resource.Key} is persisted, so its
 * text never changes its spelling from one version to the next.
 *
 * <p>Nothing but names and types reaches a key's schema, because a key's bytes begin with the
 * number that a registry gives its schema; location stands in the row as well, because not every
 * consumer reads keys; no field is a reserved word, because sinks do not quote; and what was
 * released is never taken back.
 *
 * <p>Decisions. The timestamp of a Kafka record is the time at which the connector saw the change:
 * transforms need one, and the service's clock must not be it, because a broker refuses a time that
 * lies too far ahead and deletes by one that lies behind; the service's time is {@code
 * source.ts_ms}. Operation and source stand in headers of flat events alone: an envelope holds
 * them. All fields but the key are optional, whatever a given Avro schema declares, because the
 * {@code before} of a delete knows only the key; no declared default stands in place of a value
 * that is null or absent. {@code source.db} is the location and {@code source.table} the resource,
 * the names under which sinks look for them.
 *
 * <p>This room may import {@code resource} and {@code json}, and {@code problem} as all do. It
 * knows no configuration key, no clock but the one it is given, and no network.
 */
@NullMarked
package io.posconnect.record;

import org.jspecify.annotations.NullMarked;
