package io.posconnect.config;

import java.util.Objects;

/**
 * What is wrong with a setting and what to do about it.
 *
 * @param setting full name of the setting that caused it
 * @param message for a person; never holds a secret
 */
public record Fault(String setting, String message) {
  public Fault {
    Objects.requireNonNull(setting, "setting is null");
    Objects.requireNonNull(message, "message is null");
  }

  /** Setting and message, as one reads them in a list of faults. */
  public String text() {
    return setting + ": " + message;
  }
}
