/**
 * Describes what the service offers and how each resource is read: values and pure functions only.
 *
 * <p>This room knows no HTTP client, no Kafka and no clock. Every other room may import it; it
 * imports none of them. A value owns its rules: configuration asks it and reports what it refuses.
 * A new endpoint is one entry in {@link io.posconnect.resource.Catalog}; a new way to read is one
 * more {@link io.posconnect.resource.Retrieval}, whose methods are the decisions to take.
 */
@NullMarked
package io.posconnect.resource;

import org.jspecify.annotations.NullMarked;
