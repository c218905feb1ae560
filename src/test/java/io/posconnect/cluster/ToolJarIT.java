package io.posconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import org.junit.jupiter.api.Test;

/** The tool is one jar with all that it needs, and the archive contains nothing of it. */
class ToolJarIT {

  private static Path jar() throws IOException {
    try (Stream<Path> files = Files.list(Path.of("target"))) {
      return files.filter(file -> file.toString().endsWith("-tool.jar")).findFirst().orElseThrow();
    }
  }

  private static List<String> entries(Path zip) throws IOException {
    try (ZipFile file = new ZipFile(zip.toFile())) {
      return file.stream().map(ZipEntry::getName).toList();
    }
  }

  @Test
  void namesItsMainClassAndItsLibraries() throws IOException {
    try (JarFile jar = new JarFile(jar().toFile())) {
      assertThat(jar.getManifest().getMainAttributes().getValue("Main-Class"))
          .isEqualTo("io.posconnect.tool.Tool");
      assertThat(jar.getManifest().getMainAttributes().getValue("Multi-Release")).isEqualTo("true");
      try (InputStream notice = jar.getInputStream(jar.getEntry("META-INF/NOTICE"))) {
        assertThat(new String(notice.readAllBytes(), StandardCharsets.UTF_8))
            .contains("kafka-connect-pos", "(picocli)", "(kafka-clients)", "(slf4j-simple)")
            .contains("(connect-json)", "(jackson-module-blackbird)")
            .contains("Jackson", "Apache Avro");
      }
    }
    assertThat(entries(jar()))
        .doesNotHaveDuplicates()
        .contains("META-INF/LICENSE", "org/apache/kafka/connect/json/JsonConverter.class");
  }

  @Test
  void containsNothingThatOnlyABrokerNeeds() throws IOException {
    assertThat(entries(jar()))
        .noneMatch(entry -> entry.endsWith(".so") || entry.endsWith(".dll"))
        .noneMatch(entry -> entry.startsWith("org/junit") || entry.startsWith("mockwebserver3"));
    assertThat(Files.size(jar())).isLessThan(25L << 20);
  }

  @Test
  void sharesNoClassWithTheArchive() throws IOException {
    Set<String> ours =
        Set.of("io/posconnect/tool/", "picocli/", "io/apicurio/", "org/apache/kafka/");
    try (ZipInputStream archive = new ZipInputStream(Files.newInputStream(Artefacts.archive()))) {
      for (ZipEntry entry = archive.getNextEntry(); entry != null; entry = archive.getNextEntry()) {
        String name = entry.getName();
        assertThat(name).doesNotContain("picocli", "apicurio", "connect-json", "blackbird");
        if (name.contains("/lib/kafka-connect-pos-")) {
          ZipInputStream jar = new ZipInputStream(archive);
          for (ZipEntry inner = jar.getNextEntry(); inner != null; inner = jar.getNextEntry()) {
            assertThat(ours).noneMatch(inner.getName()::startsWith);
          }
        }
      }
    }
  }
}
