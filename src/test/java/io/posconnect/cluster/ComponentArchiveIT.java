package io.posconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.Io;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.xpath.XPathExpressionException;
import javax.xml.xpath.XPathFactory;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.w3c.dom.Document;

/** The component archive and the jar of the tool hold what they should, and nothing else. */
class ComponentArchiveIT {

  @Test
  void hasOneRootNamedAfterTheManifest() throws IOException {
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
  void shipsNothingThatTheWorkerProvides() throws IOException {
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
  void theManifestAgreesWithThePom() throws Exception {
    Document pom =
        DocumentBuilderFactory.newInstance().newDocumentBuilder().parse(new File("pom.xml"));
    Function<String, String> says = path -> at(pom, "/project/" + path);
    JsonNode manifest = manifest();

    assertThat(text("/manifest.json")).doesNotContain("${");
    Map<String, String> fromThePom =
        Map.of(
            "/name", says.apply("artifactId"),
            "/version", says.apply("version"),
            "/title", says.apply("name"),
            "/description", says.apply("description"),
            "/owner/username", says.apply("properties/component.owner"),
            "/owner/name", says.apply("organization/name"),
            "/support/provider_name", says.apply("organization/name"),
            "/release_date", says.apply("properties/release.date"));
    fromThePom.forEach(
        (field, value) ->
            assertThat(manifest.at(field).asText()).as(field).isNotBlank().isEqualTo(value));
    assertThat(manifest.path("requirements").toString())
        .contains("Java " + says.apply("properties/maven.compiler.release") + " or newer");
    assertThat(manifest.at("/license/0/name").asText()).isEqualTo("Apache License 2.0");
    assertThat(manifest.path("component_types").toString()).isEqualTo("[\"source\"]");
    assertThat(manifest.at("/features/delivery_guarantee").toString())
        .isEqualTo("[\"exactly_once\",\"at_least_once\"]");
    for (String field : List.of("tags", "support", "features", "owner")) {
      assertThat(manifest.path(field)).as(field).isNotEmpty();
    }
  }

  private static String at(Document pom, String path) {
    try {
      return XPathFactory.newInstance().newXPath().evaluate(path, pom);
    } catch (XPathExpressionException e) {
      throw new IllegalArgumentException(path, e);
    }
  }

  @Test
  void pagesNameThisVersion() throws IOException {
    String version = manifest().path("version").asText();

    assertThat(Files.readAllLines(Path.of("CHANGELOG.md")))
        .filteredOn(line -> line.startsWith("## ["))
        .first(InstanceOfAssertFactories.STRING)
        .contains(version);
    for (String page : List.of("README.md", "docs/upgrading.md")) {
      assertThat(
              Pattern.compile("kafka-connect-pos-(\\d[\\w.]*)\\.zip")
                  .matcher(Files.readString(Path.of(page)))
                  .results()
                  .map(found -> found.group(1)))
          .as(page)
          .isNotEmpty()
          .containsOnly(version);
    }
  }

  @Test
  void theNoticeListsEveryBundledLibrary() throws IOException {
    String notice = text("/doc/NOTICE");

    assertThat(entries())
        .filteredOn(entry -> entry.endsWith(".jar") && !entry.contains("/lib/kafka-connect-pos-"))
        .extracting(jar -> jar.replaceAll(".*/(.*?)-\\d[^/]*", "$1"))
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(inNotice(notice));
  }

  /** The libraries of the first table of the notice, which is the archive's. */
  private static List<String> inNotice(String notice) {
    return Pattern.compile("(?m)^  .*\\(([\\w.-]+)\\)  +\\S.*$")
        .matcher(notice.substring(0, notice.indexOf("The command line tool")))
        .results()
        .map(found -> found.group(1))
        .toList();
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
        .anyMatch(entry -> entry.endsWith("/etc/apicurio-converter.xml"))
        .anyMatch(entry -> entry.endsWith("/etc/monitoring/alerts.yml"))
        .anyMatch(entry -> entry.endsWith("/etc/monitoring/grafana-dashboard.json"))
        .anyMatch(entry -> entry.endsWith("/etc/strimzi/metrics-config.yaml"));
  }

  @Test
  void theToolIsOneJarWithAllThatItNeeds() throws IOException {
    assertThat(entries(Artefacts.tool()))
        .doesNotHaveDuplicates()
        .contains(
            "META-INF/LICENSE",
            "io/posconnect/tool/Tool.class",
            "io/posconnect/simulator/Simulator.class")
        .noneMatch(entry -> entry.endsWith(".so") || entry.endsWith(".dll"))
        .noneMatch(entry -> entry.startsWith("org/junit"));
    assertThat(Files.size(Artefacts.tool())).isLessThan(25L << 20);
    assertThat(text(Artefacts.tool(), "META-INF/MANIFEST.MF"))
        .contains("Main-Class: io.posconnect.tool.Tool", "Multi-Release: true");
    assertThat(text(Artefacts.tool(), "META-INF/NOTICE"))
        .contains("kafka-connect-pos", "(picocli)", "(kafka-clients)", "(slf4j-simple)")
        .contains("Jackson", "Apache Avro");
  }

  @Test
  void theArchiveHoldsNothingOfTheTool(@TempDir Path folder) throws IOException {
    Artefacts.unzip(Artefacts.archive(), folder);
    Path ours =
        Io.files(folder).stream()
            .filter(file -> file.toString().contains("/lib/kafka-connect-pos-"))
            .findFirst()
            .orElseThrow();
    assertThat(entries(ours))
        .noneMatch(
            entry -> entry.matches("(io/posconnect/(tool|simulator)/|picocli/|io/apicurio/).*"));
    assertThat(entries()).noneMatch(entry -> entry.matches(".*(picocli|apicurio).*\\.jar"));
  }

  private static List<String> entries() throws IOException {
    return entries(Artefacts.archive());
  }

  private static List<String> entries(Path zip) throws IOException {
    try (ZipFile file = new ZipFile(zip.toFile())) {
      return file.stream().map(ZipEntry::getName).toList();
    }
  }

  private static JsonNode manifest() throws IOException {
    return new ObjectMapper().readTree(text("/manifest.json"));
  }

  private static String text(String file) throws IOException {
    return text(Artefacts.archive(), file);
  }

  private static String text(Path archive, String file) throws IOException {
    try (ZipFile zip = new ZipFile(archive.toFile())) {
      ZipEntry entry =
          zip.stream().filter(e -> e.getName().endsWith(file)).findFirst().orElseThrow();
      try (InputStream in = zip.getInputStream(entry)) {
        return new String(in.readAllBytes(), StandardCharsets.UTF_8);
      }
    }
  }
}
