package io.posconnect.cluster;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node that is a child JVM: what broker, registry and worker have in common. */
abstract class ProcessNode implements Node {

  private static final int ATTEMPTS = 3;

  private final String name;
  final Run run;
  private @Nullable Child child;

  ProcessNode(String name, Run run) {
    this.name = name;
    this.run = run;
  }

  /** How it is called. */
  abstract Jvm jvm();

  /** Returns once it serves. */
  abstract void awaitReady(Child started);

  @Override
  public String name() {
    return name;
  }

  @Override
  public synchronized void start() {
    if (child != null && child.alive()) {
      throw new IllegalStateException(name + " runs already");
    }
    child = jvm().start(name, run);
    awaitReady(child);
  }

  @Override
  public synchronized void stop() {
    if (child != null && child.alive()) {
      child.stop();
    }
  }

  @Override
  public synchronized void kill9() {
    if (child != null && child.alive()) {
      child.kill9();
    }
  }

  @Override
  public void close() {
    kill9();
  }

  final synchronized boolean foundPortTaken() {
    return child != null && !child.alive() && child.foundPortTaken();
  }

  /** The first start of a node, with other ports if somebody was faster. */
  static <N extends ProcessNode> N started(Supplier<N> create) {
    for (int attempt = 1; ; attempt++) {
      N node = create.get();
      try {
        node.start();
        return node;
      } catch (RuntimeException e) {
        node.close();
        if (attempt == ATTEMPTS || !node.foundPortTaken()) {
          throw e;
        }
      }
    }
  }
}
