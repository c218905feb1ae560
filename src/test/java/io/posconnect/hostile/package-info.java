/**
 * A service that answers wrongly at every layer below the rows: TCP, TLS, HTTP, compression, JSON.
 *
 * <p>It writes bytes to plain sockets, since no HTTP server would send them. {@link
 * io.posconnect.hostile.Hostility} is the list of what it does; every answer is made of a seed, so
 * that one that breaks a law can be sent again. It knows nothing of the connector.
 *
 * <p>{@link io.posconnect.hostile.HostileService} is also the server of every test that needs an
 * answer the simulator does not give: it accepts connections, reads requests, and leaves the rest
 * to an {@link io.posconnect.hostile.Answer}.
 */
package io.posconnect.hostile;
