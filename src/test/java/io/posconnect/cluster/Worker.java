package io.posconnect.cluster;

import java.net.URI;
import java.nio.file.Path;

/** One worker of a distributed Connect cluster. */
public interface Worker extends Node {

  /** Root of its REST interface. */
  URI restUrl();

  /** Where it logs; later starts append. */
  Path log();

  /** How much heap it has needed, over all its starts. */
  HeapUse heap();
}
