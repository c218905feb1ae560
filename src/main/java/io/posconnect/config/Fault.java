package io.posconnect.config;

import io.posconnect.problem.Problem;
import java.util.Objects;

/**
 * States what is wrong with a setting and what to do about it.
 *
 * @param setting full name of the setting that caused it
 * @param message for a person; begins with its problem's code and never holds a secret
 */
public record Fault(String setting, String message) {
  public Fault {
    Objects.requireNonNull(setting, "setting is null");
    Objects.requireNonNull(message, "message is null");
  }

  /**
   * A fault under a problem of the catalog.
   *
   * @param detail what is wrong in this case, in a clause that begins small
   */
  static Fault of(Problem problem, String setting, String detail) {
    return new Fault(setting, problem.at(setting, detail));
  }
}
