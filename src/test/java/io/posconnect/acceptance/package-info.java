/**
 * What the connector promises, seen to happen: a real broker, registry and worker with the packaged
 * archive, fed by the simulated service.
 */
package io.posconnect.acceptance;
