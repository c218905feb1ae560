package io.posconnect.tool;

import java.util.Comparator;
import java.util.Locale;
import java.util.stream.Stream;

/** How the audit of a stream ends. A later one outweighs an earlier one. */
enum Verdict {
  EQUAL(ExitCode.OK),
  /** The topic keeps rows that are gone, since the service never shows deletes of the resource. */
  NEVER_TOLD(ExitCode.OK),
  /** The connector need not have read the difference yet. */
  NOT_DUE_YET(ExitCode.OK),
  /** Something could not be compared. */
  NOT_DECIDED(ExitCode.NOT_DECIDED),
  DIFFERENT(ExitCode.FOUND);

  final ExitCode exit;

  Verdict(ExitCode exit) {
    this.exit = exit;
  }

  /** The one that outweighs the others; of none, that all is equal. */
  static Verdict of(Stream<Verdict> all) {
    return all.max(Comparator.naturalOrder()).orElse(EQUAL);
  }

  /** The verdict for persons and programs, such as {@code not due yet}. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT).replace('_', ' ');
  }
}
