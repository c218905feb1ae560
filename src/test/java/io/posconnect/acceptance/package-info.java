/**
 * The promises of the connector, shown on a real broker, registry and worker with the packaged
 * archive, fed by the simulated service.
 */
package io.posconnect.acceptance;
