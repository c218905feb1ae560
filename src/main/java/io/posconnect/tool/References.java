package io.posconnect.tool;

import io.posconnect.problem.Problem;
import io.posconnect.tool.Tool.UnreadableException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.apache.kafka.common.config.ConfigTransformer;
import org.apache.kafka.common.config.provider.ConfigProvider;
import org.apache.kafka.common.config.provider.DirectoryConfigProvider;
import org.apache.kafka.common.config.provider.EnvVarConfigProvider;
import org.apache.kafka.common.config.provider.FileConfigProvider;

/**
 * Resolves references to secrets with Kafka's own providers, under the names that workers usually
 * give them. A worker leaves a reference that leads nowhere as it is; here it is refused.
 */
final class References {

  private static final Pattern REFERENCE = ConfigTransformer.DEFAULT_PATTERN;

  private References() {}

  /** The references in a value, in order. */
  static List<String> in(String value) {
    return REFERENCE.matcher(value).results().map(MatchResult::group).toList();
  }

  /**
   * Every value with what its references stand for.
   *
   * @throws UnreadableException that names each setting whose reference leads nowhere
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
      List<String> dangling = new ArrayList<>();
      Map<String, String> resolved = new TreeMap<>();
      given.forEach(
          (setting, value) -> {
            for (String reference : in(value)) {
              if (leadsNowhere(transformer, reference)) {
                dangling.add(
                    Problem.REFERENCE_UNRESOLVED.at(setting, reference + " leads nowhere"));
              }
            }
            resolved.put(setting, value);
          });
      if (!dangling.isEmpty()) {
        throw new UnreadableException(String.join("\n", dangling));
      }
      return transformer.transform(resolved).data();
    } finally {
      providers.values().forEach(References::close);
    }
  }

  private static boolean leadsNowhere(ConfigTransformer transformer, String reference) {
    try {
      return reference.equals(transformer.transform(Map.of("", reference)).data().get(""));
    } catch (RuntimeException e) {
      // A provider's own message may show what it read.
      return true;
    }
  }

  private static void close(ConfigProvider provider) {
    try {
      provider.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
