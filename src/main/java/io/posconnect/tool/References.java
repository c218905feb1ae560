package io.posconnect.tool;

import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import org.apache.kafka.common.config.ConfigTransformer;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.config.provider.DirectoryConfigProvider;
import org.apache.kafka.common.config.provider.EnvVarConfigProvider;
import org.apache.kafka.common.config.provider.FileConfigProvider;
import org.apache.kafka.common.utils.Utils;

/**
 * Resolves references to secrets with Kafka's own providers, under the names that workers usually
 * give them. A worker keeps a reference that it cannot resolve as text; here it is refused.
 */
final class References {

  private References() {}

  /** Returns whether a worker may take a text, or what follows it in a setting, for a reference. */
  static boolean mayBegin(String text) {
    return text.contains("${");
  }

  /** The references in a value, in order. */
  static List<String> in(String value) {
    return ConfigTransformer.DEFAULT_PATTERN
        .matcher(value)
        .results()
        .map(MatchResult::group)
        .toList();
  }

  /**
   * Returns every value with its references resolved.
   *
   * @throws EndedException that names each setting with a reference that cannot be resolved
   */
  static Map<String, String> resolve(Map<String, String> given) {
    Map<String, ConfigProvider> providers =
        Map.of(
            "file", new FileConfigProvider(),
            "env", new EnvVarConfigProvider(),
            "dir", new DirectoryConfigProvider(),
            "directory", new DirectoryConfigProvider());
    try {
      providers.values().forEach(provider -> provider.configure(Map.of()));
      ConfigTransformer transformer = new ConfigTransformer(providers);
      List<Incident> unresolved = new ArrayList<>();
      given.forEach(
          (setting, value) ->
              in(value).stream()
                  .filter(reference -> !isResolved(transformer, reference))
                  .map(reference -> reference + " cannot be resolved here")
                  .map(detail -> Problem.REFERENCE_UNRESOLVED.incident(setting, detail))
                  .forEach(unresolved::add));
      if (!unresolved.isEmpty()) {
        throw ExitCode.UNREADABLE.because(Tool.lines(unresolved));
      }
      return transformer.transform(given).data();
    } finally {
      providers.forEach((name, provider) -> Utils.closeQuietly(provider, name));
    }
  }

  private static boolean isResolved(ConfigTransformer transformer, String reference) {
    try {
      return !reference.equals(transformer.transform(Map.of("", reference)).data().get(""));
    } catch (RuntimeException e) {
      return false; // A provider's own message may contain what it read.
    }
  }
}
