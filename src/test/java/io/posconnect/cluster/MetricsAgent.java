package io.posconnect.cluster;

import io.posconnect.Io;
import io.prometheus.jmx.JavaAgent;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Path;

/**
 * The JMX exporter of Prometheus, an agent of a worker's JVM.
 *
 * @param rules its configuration
 * @param port on loopback
 */
public record MetricsAgent(Path rules, int port) {

  /** One with these rules, on a port that is free now. */
  public static MetricsAgent of(Path rules) {
    return new MetricsAgent(rules.toAbsolutePath(), Node.freePort());
  }

  /** The option that starts it, for {@link ClusterOptions#withWorkerJvm}. */
  public String option() {
    return "-javaagent:%s=%s:%s".formatted(jar(), address(), rules);
  }

  private static Path jar() {
    try {
      return Path.of(JavaAgent.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Host and port. */
  public String address() {
    return "127.0.0.1:" + port;
  }

  /** The metrics that it shows. */
  public String metrics() {
    return Io.unchecked(() -> new Rest(URI.create("http://" + address())).get("/metrics")).text();
  }
}
