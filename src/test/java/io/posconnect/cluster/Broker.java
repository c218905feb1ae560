package io.posconnect.cluster;

/** A Kafka broker. */
public interface Broker extends Node {

  /** Host and port, as clients want them. */
  String bootstrapServers();
}
