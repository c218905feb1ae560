/**
 * What the service offers, and how each of its resources is read: values and pure functions only.
 *
 * <p>This room knows no HTTP client, no Kafka and no clock. Every other room may import it; it
 * imports none of them. A new endpoint is one entry in {@link io.posconnect.resource.Catalog}; a
 * new way to read one is one more {@link io.posconnect.resource.Retrieval}, whose abstract methods
 * are the list of what there is to decide.
 */
@NullMarked
package io.posconnect.resource;

import org.jspecify.annotations.NullMarked;
