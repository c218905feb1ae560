package io.posconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;

class ComponentArchiveIT {

  @Test
  void isNamedAfterItsManifestAndHasOneRoot() throws IOException {
    JsonNode manifest = manifest();
    String root =
        manifest.at("/owner/username").asText()
            + "-"
            + manifest.path("name").asText()
            + "-"
            + manifest.path("version").asText();

    assertThat(Artefacts.archive()).hasFileName(root + ".zip");
    assertThat(entries()).allMatch(entry -> entry.startsWith(root + "/"));
    assertThat(entries())
        .contains(
            root + "/manifest.json",
            root + "/doc/README.md",
            root + "/doc/LICENSE",
            root + "/doc/docs/operating.md",
            root + "/lib/kafka-connect-pos-" + manifest.path("version").asText() + ".jar");
  }

  @Test
  void shipsWhatWeNeedAndNothingThatTheWorkerProvides() throws IOException {
    List<String> jars =
        entries().stream()
            .filter(entry -> entry.endsWith(".jar"))
            .map(entry -> entry.substring(entry.lastIndexOf('/') + 1))
            .toList();

    assertThat(jars)
        .anyMatch(jar -> jar.startsWith("avro-"))
        .anyMatch(jar -> jar.startsWith("okhttp-"));
    assertThat(jars)
        .noneMatch(
            jar -> jar.matches("(connect-|kafka-clients|slf4j|log4j|logback|junit|assertj).*"))
        .noneMatch(jar -> jar.matches(".*(registry|converter).*"))
        .noneMatch(jar -> jar.startsWith("commons-"));
  }

  @Test
  void noticeListsEveryLibraryThatIsBundled() throws IOException {
    String notice = text("/doc/NOTICE");

    assertThat(entries())
        .filteredOn(entry -> entry.endsWith(".jar") && !entry.contains("/lib/kafka-connect-pos-"))
        .extracting(jar -> jar.replaceAll(".*/(.*?)-\\d[^/]*", "$1"))
        .isNotEmpty()
        .allSatisfy(library -> assertThat(notice).contains("(" + library + ")"));
  }

  @Test
  void hasAnExampleForEveryWayToRunIt() throws IOException {
    assertThat(entries())
        .anyMatch(entry -> entry.endsWith("/etc/one-location.json"))
        .anyMatch(entry -> entry.endsWith("/etc/chain.json"))
        .anyMatch(entry -> entry.endsWith("/etc/contracts/products.avsc"))
        .anyMatch(entry -> entry.matches(".*/etc/schemas/[0-9.]+/products-envelope\\.avsc"))
        .anyMatch(entry -> entry.endsWith("/etc/worker-distributed.properties"))
        .anyMatch(entry -> entry.endsWith("/etc/acls.sh"))
        .anyMatch(entry -> entry.endsWith("/etc/monitoring/alerts.yml"))
        .anyMatch(entry -> entry.endsWith("/etc/monitoring/grafana-dashboard.json"))
        .anyMatch(entry -> entry.endsWith("/etc/strimzi/metrics-config.yaml"));
  }

  private static List<String> entries() throws IOException {
    try (ZipFile zip = new ZipFile(Artefacts.archive().toFile())) {
      return zip.stream().map(ZipEntry::getName).toList();
    }
  }

  private static JsonNode manifest() throws IOException {
    return new ObjectMapper().readTree(text("/manifest.json"));
  }

  private static String text(String file) throws IOException {
    try (ZipFile zip = new ZipFile(Artefacts.archive().toFile())) {
      ZipEntry entry =
          zip.stream().filter(e -> e.getName().endsWith(file)).findFirst().orElseThrow();
      try (InputStream in = zip.getInputStream(entry)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }
}
