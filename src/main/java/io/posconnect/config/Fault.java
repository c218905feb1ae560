package io.posconnect.config;

import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import java.util.Objects;

/**
 * Reports what is wrong with a configuration, at the setting that caused it.
 *
 * @param setting full name of the setting
 * @param incident what is wrong; never holds a secret
 */
public record Fault(String setting, Incident incident) {
  public Fault {
    Objects.requireNonNull(setting, "setting is null");
    Objects.requireNonNull(incident, "incident is null");
  }

  /**
   * Makes a fault whose subject is the setting itself.
   *
   * @param detail what is wrong in this case, in a clause that begins with a small letter
   */
  public static Fault of(Problem problem, String setting, String detail) {
    return new Fault(setting, problem.incident(setting, detail));
  }

  /** The line that a person reads. */
  public String message() {
    return incident.toString();
  }
}
