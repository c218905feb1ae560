package io.posconnect.cluster;

import java.net.URI;

/** A schema registry that speaks its own REST interface and Confluent's. */
public interface Registry extends Node {

  /** The server's root. */
  URI url();

  /** What the Avro converter is configured with. */
  default URI converterUrl() {
    return url().resolve("/apis/registry/v2");
  }

  /** What a client of Confluent's registry is configured with. */
  default URI confluentUrl() {
    return url().resolve("/apis/ccompat/v7");
  }
}
