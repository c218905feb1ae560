package io.posconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Testcontainers;

/** Skipped where there is no container engine. */
@Testcontainers(disabledWithoutDocker = true)
class ContainerBrokerIT {

  @Test
  void standsInForAProcess() {
    Broker broker = new ContainerBroker("apache/kafka:4.3.1");
    broker.start();
    try (Cluster cluster = Cluster.start(ClusterOptions.of("container"), broker)) {
      assertThat(cluster.connect().connectors()).isEmpty();
      assertThat(cluster.topics().topics()).isNotEmpty();
    }
  }
}
