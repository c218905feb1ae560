package io.posconnect.cluster;

/** One process of the cluster. Its address and what it stored survive every stop. */
public interface Node extends AutoCloseable {

  /** Such as {@code worker-0}; also the name of its log. */
  String name();

  /**
   * Starts a stopped node and returns once it serves; an {@link IllegalStateException} when it does
   * not.
   */
  void start();

  /**
   * Asks it to end, as an operator would, and returns once it has; nothing when it does not run.
   */
  void stop();

  /** Ends it at once, without any chance to finish what it does: {@code kill -9}. */
  void kill9();

  /** Stops it, unless it is gone already, and starts it again. */
  default void restart() {
    stop();
    start();
  }

  /** Ends it for good. */
  @Override
  void close();
}
