package io.posconnect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Io;
import io.posconnect.cluster.Artefacts;
import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ClusterOptions;
import io.posconnect.cluster.SharedCluster;
import java.io.IOException;
import java.io.StringReader;
import java.lang.reflect.Field;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * A worker accepts what the page on registries shows of each of them, and knows every setting:
 * Apicurio's converter is the real one, the others are stubs of those names.
 */
@ExtendWith(SharedCluster.class)
class RegistryExamplesIT {

  private static final Pattern EXAMPLE =
      Pattern.compile("<!-- example: (.+?) -->\n```properties\n(.*?)```", Pattern.DOTALL);
  private static final String SECRETS = "/etc/kafka-connect/secrets/registry.properties";
  private static final String OF_CONVERTER = "(key|value)\\.converter\\..+";
  private static final Set<String> APICURIO = apicurio();
  private static final String CONNECTOR = "io.posconnect.PosSourceConnector";

  @TempDir private static Path folder;

  @Test
  void workerAcceptsExampleOfEachRegistryAndKnowsItsSettings(Cluster shared) throws Exception {
    Map<String, Map<String, String>> examples = examples();
    assertThat(examples)
        .containsOnlyKeys("Apicurio", "Confluent", "Confluent Cloud", "Glue", "Karapace");
    try (Cluster cluster =
        Cluster.startBeside(
            shared, ClusterOptions.of("registries").withPlugins(StubConverters.plugin(folder)))) {
      Path secrets = secrets(cluster);
      examples.forEach((name, lines) -> assertAccepted(cluster, secrets, name, lines));
    }
  }

  private static Map<String, Map<String, String>> examples() throws IOException {
    Map<String, Map<String, String>> examples = new TreeMap<>();
    String page = Files.readString(Path.of("docs", "registries.md"));
    for (MatchResult example : EXAMPLE.matcher(page).results().toList()) {
      Properties lines = new Properties();
      lines.load(new StringReader(example.group(2)));
      Map<String, String> settings = new TreeMap<>();
      lines.forEach((setting, value) -> settings.put((String) setting, (String) value));
      examples.put(example.group(1), settings);
    }
    return examples;
  }

  private static Path secrets(Cluster cluster) throws IOException {
    String reference = cluster.secret("registry.properties", "token", "t");
    Path file = Path.of(reference.substring("${file:".length(), reference.lastIndexOf(':')));
    return Files.writeString(
        file, "token=t\nuser.info=user:p\npassword=p\nstore=s\nheader=Bearer t\n");
  }

  private static void assertAccepted(
      Cluster cluster, Path secrets, String name, Map<String, String> lines) {
    Map<String, String> settings = new LinkedHashMap<>();
    settings.put("base.url", "https://127.0.0.1");
    settings.put("api.key", "k");
    settings.put("topic.prefix", "registries");
    settings.put("validate.connection", "false");
    lines.forEach(
        (setting, value) -> {
          String given = value.replace(SECRETS, secrets.toString());
          settings.put(setting, given);
          settings.put(setting.replaceFirst("^value\\.", "key."), given);
        });
    assertThat(cluster.connect().validate(CONNECTOR, settings)).as(name).isEmpty();
    boolean real = name.equals("Apicurio");
    Set<String> known = real ? APICURIO : cluster.connect().known(CONNECTOR, settings);
    assertThat(settings.keySet())
        .filteredOn(setting -> setting.matches(OF_CONVERTER))
        .as(name)
        .isNotEmpty()
        .allMatch(setting -> isKnown(setting, known));
    if (!real) {
      assertRefusedWithoutPrefix(cluster, name, settings);
    }
  }

  private static void assertRefusedWithoutPrefix(
      Cluster cluster, String name, Map<String, String> settings) {
    Map<String, String> bare = new LinkedHashMap<>();
    settings.forEach(
        (setting, value) ->
            bare.put(
                setting.matches(OF_CONVERTER)
                    ? setting.replaceFirst("(key|value)\\.converter\\.", "")
                    : setting,
                value));
    assertThat(cluster.connect().validate(CONNECTOR, bare).keySet())
        .as(name)
        .isNotEmpty()
        .allMatch(setting -> setting.matches(OF_CONVERTER));
  }

  /** A name that ends with a dot stands for all that begin with it. */
  private static boolean isKnown(String setting, Set<String> known) {
    return known.contains(setting)
        || known.stream().anyMatch(name -> name.endsWith(".") && setting.startsWith(name));
  }

  /** The names in the classes of the converter that the build fetches. */
  private static Set<String> apicurio() {
    Set<String> names = new HashSet<>();
    try (URLClassLoader converter = new URLClassLoader(Io.urls(Artefacts.converter()))) {
      for (String type :
          List.of(
              "io.apicurio.registry.resolver.SchemaResolverConfig",
              "io.apicurio.registry.serde.SerdeConfig",
              "io.apicurio.rest.client.config.ApicurioClientConfig")) {
        for (Field field : converter.loadClass(type).getFields()) {
          if (field.getType() == String.class) {
            names.add("key.converter." + field.get(null));
            names.add("value.converter." + field.get(null));
          }
        }
      }
      return names;
    } catch (IOException | ReflectiveOperationException e) {
      throw new IllegalStateException(e);
    }
  }
}
