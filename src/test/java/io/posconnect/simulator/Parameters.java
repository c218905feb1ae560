package io.posconnect.simulator;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Optional;

/** Reads the parameters of a call the way the interface describes them. */
final class Parameters {

  static final String FROM = "fromLastModifiedDateUTC";
  static final String TO = "toLastModifiedDateUTC";

  private Parameters() {}

  /** An ISO 8601 timestamp in UTC that ends with a Z. */
  static Optional<Instant> timestamp(Call call, String name) throws RefusedException {
    Optional<String> text = call.parameter(name);
    if (text.isEmpty()) {
      return Optional.empty();
    }
    try {
      if (!text.get().endsWith("Z")) {
        throw new DateTimeParseException("no trailing Z", text.get(), 0);
      }
      return Optional.of(Instant.parse(text.get()));
    } catch (DateTimeParseException e) {
      throw new RefusedException(
          Answers.invalid(name, "The value '" + text.get() + "' is not valid."));
    }
  }

  /** A whole number within bounds. */
  static int number(Call call, String name, int absent, int least, int most)
      throws RefusedException {
    Optional<String> text = call.parameter(name);
    if (text.isEmpty()) {
      return absent;
    }
    try {
      int value = Integer.parseInt(text.get());
      if (value >= least && value <= most) {
        return value;
      }
    } catch (NumberFormatException e) {
      throw new RefusedException(
          Answers.invalid(name, "The value '" + text.get() + "' is not valid."));
    }
    throw new RefusedException(
        Answers.invalid(name, "The field must be between " + least + " and " + most + "."));
  }
}
