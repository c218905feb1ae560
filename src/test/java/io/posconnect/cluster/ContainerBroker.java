package io.posconnect.cluster;

import org.testcontainers.kafka.KafkaContainer;

/**
 * A broker in a container, for machines with a container engine. It cannot be restarted: its mapped
 * port, and so its address, would be another one.
 */
final class ContainerBroker implements Broker {

  private final KafkaContainer container;

  ContainerBroker(String image) {
    this.container = new KafkaContainer(image);
  }

  @Override
  public String name() {
    return "broker";
  }

  @Override
  public void start() {
    if (container.getContainerId() != null) {
      throw new IllegalStateException("a container's broker cannot start twice");
    }
    container.start();
  }

  @Override
  public void stop() {
    container.stop();
  }

  @Override
  public void kill9() {
    container.getDockerClient().killContainerCmd(container.getContainerId()).exec();
  }

  @Override
  public void close() {
    container.close();
  }

  @Override
  public String bootstrapServers() {
    return container.getBootstrapServers();
  }
}
