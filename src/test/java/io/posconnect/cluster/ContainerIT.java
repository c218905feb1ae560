package io.posconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.testcontainers.junit.jupiter.Container;
import org.testcontainers.junit.jupiter.Testcontainers;
import org.testcontainers.kafka.KafkaContainer;

/** The broker as a container; skipped where there is no container engine. */
@Testcontainers(disabledWithoutDocker = true)
class ContainerIT {

  @Container private static final KafkaContainer BROKER = new KafkaContainer("apache/kafka:4.3.1");

  @Test
  void workersServeWithABrokerInAContainer() {
    ClusterOptions options = ClusterOptions.of("container");
    try (Cluster cluster = Cluster.start(options, BROKER.getBootstrapServers())) {
      assertThat(cluster.connect().connectors()).isEmpty();
      assertThat(cluster.topics().topics()).isNotEmpty();
    }
  }
}
