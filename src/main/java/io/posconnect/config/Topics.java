package io.posconnect.config;

import io.posconnect.resource.Stream;
import java.util.Objects;

/**
 * Where records go.
 *
 * @param prefix fills {@code {prefix}} in the template
 * @param template the name of a stream's topic, with {@code {prefix}}, {@code {location}} and
 *     {@code {resource}} to be filled
 * @param checkpoints the topic of checkpoints
 * @param deadLetters the topic of rows that cannot be events
 */
public record Topics(String prefix, String template, String checkpoints, String deadLetters) {
  public Topics {
    Objects.requireNonNull(prefix, "prefix is null");
    Objects.requireNonNull(template, "template is null");
    Objects.requireNonNull(checkpoints, "checkpoints is null");
    Objects.requireNonNull(deadLetters, "deadLetters is null");
  }

  /** The topic of that stream's events. */
  public String of(Stream stream) {
    return template
        .replace("{prefix}", prefix)
        .replace("{location}", stream.location())
        .replace("{resource}", stream.resource());
  }
}
