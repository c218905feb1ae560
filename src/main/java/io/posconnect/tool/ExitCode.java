package io.posconnect.tool;

/** The exit codes of every command; {@link Tool} lists them. */
enum ExitCode {
  OK(0),
  /** There is a fault in the configuration, the service's answers or a topic. */
  FOUND(1),
  /** The command line or the configuration cannot be read. */
  UNREADABLE(2),
  /** The command cannot reach or use what it needs. */
  BROKEN(3),
  /** An audit found no difference, but could not compare everything. */
  NOT_DECIDED(4);

  final int number;

  ExitCode(int number) {
    this.number = number;
  }

  EndedException because(String reason) {
    return new EndedException(this, reason);
  }
}
