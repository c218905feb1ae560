package io.posconnect.cluster;

import java.io.IOException;
import java.lang.instrument.Instrumentation;

/**
 * An agent that ends its JVM when standard input does, that is, when the parent is gone, however it
 * went.
 *
 * <p>It travels into every child as a jar with this one class, so it needs nothing but the JDK.
 */
public final class ParentWatch {

  /** The status with which a process ends whose parent is gone. */
  static final int ORPHANED = 86;

  private ParentWatch() {}

  public static void premain(String arguments, Instrumentation instrumentation) {
    Thread thread = new Thread(ParentWatch::untilParentIsGone, "parent-watch");
    thread.setDaemon(true);
    thread.start();
  }

  private static void untilParentIsGone() {
    try {
      while (System.in.read() >= 0) {
        // The parent never writes; only the end counts.
      }
    } catch (IOException e) {
      // A broken pipe is an end as well.
    }
    Runtime.getRuntime().halt(ORPHANED);
  }
}
