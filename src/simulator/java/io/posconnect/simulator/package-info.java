/**
 * A faithful point-of-sale data service that runs inside a test, a quick start or a demo.
 *
 * <p>The law of this room: it knows the published interface of the service and nothing of the
 * connector. It imports no class of the connector's main code and never reads the connector's
 * catalog: its routes, field names and limits are written down here a second time, from the
 * interface document, because a simulator that shared them would share their errors too.
 *
 * <p>What the interface leaves open is a setting of {@link
 * io.posconnect.simulator.SimulatorBuilder} with the answer that integrators report as its default.
 * Rows are held as a seed and a version and rendered on demand, so a list of any length is streamed
 * and never in memory. Two things make it a test oracle: {@link
 * io.posconnect.simulator.SimulatedLocation#truth}, what exists, and {@link
 * io.posconnect.simulator.ResponseHistory}, what was shown. Keys never appear in a log line or a
 * {@code toString}; a location's alias stands for them.
 *
 * <p>The HTTP engine is {@link io.posconnect.simulator.HttpServer}, on plain sockets. A server for
 * tests such as {@code mockwebserver3} was weighed and would leave the greater part to us: it
 * frames no chunks of a body that is streamed, hides the socket that a reset needs, cannot end a
 * delay or a silence early, listens once and not again on the same port, and reports a response's
 * end only after the client may have seen it. The demo in containers also runs this class with no
 * jar but the connector's.
 */
package io.posconnect.simulator;
