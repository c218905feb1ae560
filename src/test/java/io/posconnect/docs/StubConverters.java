package io.posconnect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.jar.JarOutputStream;
import java.util.zip.ZipEntry;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.apache.kafka.connect.storage.Converter;

/**
 * Stands in for converters that the build does not fetch: classes of their names that a worker
 * loads, which declare the settings of those converters and convert nothing.
 */
final class StubConverters {

  /** The settings of each converter, as its documentation and sources name them. */
  private static final Map<String, List<String>> SETTINGS =
      new TreeMap<>(
          Map.of(
              "io.confluent.connect.avro.AvroConverter",
              List.of(
                  "schema.registry.url",
                  "basic.auth.credentials.source=URL|USER_INFO|SASL_INHERIT",
                  "basic.auth.user.info",
                  "bearer.auth.credentials.source=STATIC_TOKEN|OAUTHBEARER|SASL_OAUTHBEARER_INHERIT",
                  "bearer.auth.token",
                  "schema.registry.ssl.truststore.location",
                  "schema.registry.ssl.truststore.type",
                  "schema.registry.ssl.truststore.password",
                  "auto.register.schemas"),
              "com.amazonaws.services.schemaregistry.kafkaconnect.AWSKafkaAvroConverter",
              List.of(
                  "region",
                  "registry.name",
                  "schemaName",
                  "schemaAutoRegistrationEnabled",
                  "compatibility",
                  "avroRecordType=GENERIC_RECORD|SPECIFIC_RECORD")));

  private static final String SOURCE =
      """
      package %s;

      import org.apache.kafka.common.config.ConfigDef;
      import org.apache.kafka.connect.data.Schema;
      import org.apache.kafka.connect.data.SchemaAndValue;

      public class %s implements org.apache.kafka.connect.storage.Converter {
        public void configure(java.util.Map<String, ?> settings, boolean key) {}
        public byte[] fromConnectData(String topic, Schema schema, Object value) { return null; }
        public SchemaAndValue toConnectData(String topic, byte[] value) { return null; }
        public ConfigDef config() {
          return new ConfigDef()
      %s;
        }
      }
      """;

  private StubConverters() {}

  /** Writes a plugin with all of them into that folder. */
  static Path plugin(Path folder) throws IOException {
    Path classes = Files.createDirectory(folder.resolve("classes"));
    List<String> command = new ArrayList<>(List.of("-d", classes.toString(), "-proc:none"));
    command.addAll(List.of("-cp", System.getProperty("java.class.path")));
    for (String type : SETTINGS.keySet()) {
      command.add(
          Files.writeString(folder.resolve(simple(type) + ".java"), source(type)).toString());
    }
    StringWriter said = new StringWriter();
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    boolean compiled =
        compiler
            .getTask(
                said,
                null,
                null,
                command.subList(0, 5),
                null,
                compiler
                    .getStandardFileManager(null, null, null)
                    .getJavaFileObjectsFromStrings(command.subList(5, command.size())))
            .call();
    assertThat(compiled).as("%s", said).isTrue();
    Path plugin = Files.createDirectory(folder.resolve("stub-converters"));
    try (JarOutputStream jar =
        new JarOutputStream(Files.newOutputStream(plugin.resolve("stubs.jar")))) {
      for (String type : SETTINGS.keySet()) {
        String entry = type.replace('.', '/') + ".class";
        jar.putNextEntry(new ZipEntry(entry));
        jar.write(Files.readAllBytes(classes.resolve(entry)));
      }
      jar.putNextEntry(new ZipEntry("META-INF/services/" + Converter.class.getName()));
      jar.write(String.join("\n", SETTINGS.keySet()).getBytes(StandardCharsets.UTF_8));
    }
    return plugin;
  }

  private static String simple(String type) {
    return type.substring(type.lastIndexOf('.') + 1);
  }

  /** The first setting has no default. */
  private static String source(String type) {
    StringBuilder definitions = new StringBuilder();
    for (String setting : SETTINGS.getOrDefault(type, List.of())) {
      String name = setting.replaceFirst("=.*", "");
      String values = setting.equals(name) ? "" : setting.substring(name.length() + 1);
      String fallback = definitions.isEmpty() ? "ConfigDef.NO_DEFAULT_VALUE" : "null";
      String check =
          values.isEmpty()
              ? "null"
              : "ConfigDef.ValidString.in(null, \"%s\")".formatted(values.replace("|", "\", \""));
      definitions.append(
          "    .define(\"%s\", ConfigDef.Type.STRING, %s, %s, ConfigDef.Importance.LOW, \"\")%n"
              .formatted(name, fallback, check));
    }
    return SOURCE.formatted(
        type.substring(0, type.lastIndexOf('.')),
        simple(type),
        definitions.toString().stripTrailing());
  }
}
