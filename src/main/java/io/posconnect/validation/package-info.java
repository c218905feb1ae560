/**
 * Tries a configuration against the service before a connector runs with it.
 *
 * <p>One probe for each key and one or two for each stream, all at once, within a fixed time, and
 * within the limits that running tasks live on. What a probe meets is a fault of the configuration
 * only when no waiting can mend it, or when a location does not answer to its key at all; what else
 * may pass by itself is logged, and the configuration is accepted, since the connector is built to
 * wait. Each fault stands at the setting that caused it.
 *
 * <p>What to ask for is the retrieval's own knowledge. This room knows the configuration and the
 * client, and neither tasks nor records.
 */
@NullMarked
package io.posconnect.validation;

import org.jspecify.annotations.NullMarked;
