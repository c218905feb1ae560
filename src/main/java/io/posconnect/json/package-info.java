/**
 * JSON in, rows out: the one place that knows JSON and its parser.
 *
 * <p>A body is parsed as it arrives and never held whole: one row at a time, within {@link
 * io.posconnect.json.BodyLimits}. A row keeps its original bytes, and its values stay text until
 * they are asked for. A row that is known by its bytes is not parsed at all: {@link
 * io.posconnect.json.KnownRows}. A row that is broken costs that row; its key is read as far as
 * possible. Private fields are removed from a row before it leaves this room. No exception quotes a
 * body.
 */
@NullMarked
package io.posconnect.json;

import org.jspecify.annotations.NullMarked;
