package io.posconnect.tool;

import java.io.Console;
import java.lang.reflect.Method;
import java.util.concurrent.TimeUnit;

/**
 * Shows how far the work is: a bar that moves on a terminal, and a plain line now and then where a
 * file or a build reads along.
 */
final class Progress implements AutoCloseable {

  private static final int WIDTH = 30;
  private static final long REDRAW = TimeUnit.MILLISECONDS.toNanos(100);
  private static final long NEXT_LINE = TimeUnit.SECONDS.toNanos(10);

  private final Screen screen;
  private final boolean terminal;
  private String subject = "";
  private int total = 1;
  private boolean drawn;
  private long last = System.nanoTime();

  Progress(Screen screen, boolean terminal) {
    this.screen = screen;
    this.terminal = terminal;
  }

  /** Whether a person looks on. */
  @SuppressWarnings("SystemConsoleNull") // Newer ones are asked further.
  static boolean onTerminal() {
    Console console = System.console();
    if (console == null) {
      return false;
    }
    try {
      // From JDK 22 on there is a console also where there is no terminal.
      Method isTerminal = Console.class.getMethod("isTerminal");
      return Boolean.TRUE.equals(isTerminal.invoke(console));
    } catch (ReflectiveOperationException e) {
      return true;
    }
  }

  /**
   * Begins something new.
   *
   * @param most rows that will be read of it
   */
  void begin(String what, int most) {
    subject = what;
    total = Math.max(1, most);
    draw(0, "");
  }

  void at(int rows, int requests) {
    long now = System.nanoTime();
    if (now - last >= (terminal ? REDRAW : NEXT_LINE)) {
      draw(rows, "%,d rows, %d requests".formatted(rows, requests));
    }
  }

  private void draw(int rows, String detail) {
    last = System.nanoTime();
    if (terminal) {
      int full = (int) Math.min(WIDTH, (long) WIDTH * rows / total);
      String bar = "#".repeat(full) + ".".repeat(WIDTH - full);
      screen.transientLine("[" + bar + "] " + subject + "  " + detail);
      drawn = true;
    } else if (!detail.isEmpty()) {
      screen.error(subject + ": " + detail);
    }
  }

  /** Something that is worth a line of its own. */
  void note(String text) {
    pause();
    screen.error(subject + ": " + text);
  }

  /** Takes the bar away for what is printed now. */
  void pause() {
    if (drawn) {
      screen.endTransientLine();
      drawn = false;
    }
  }

  /** Leaves no bar behind. */
  @Override
  public void close() {
    pause();
  }
}
