package io.posconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.Io;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The files of the profile {@code release} agree with the archive beside them. */
@EnabledIfSystemProperty(named = "release.directory", matches = ".+")
class ReleaseFilesIT {

  private static final Path RELEASE = Path.of(System.getProperty("release.directory", "target"));

  private static final String CLUSTER = System.getProperty("cluster.directory", "target/cluster");

  /** Names of published files, without their endings. */
  private static final String ARCHIVE = named(Artefacts.archive());

  private static final String TOOL = named(Artefacts.tool());
  private static final String CONVERTER = TOOL.replaceAll("tool$", "converter");

  private static String named(Path file) {
    return file.getFileName().toString().replaceAll("\\.(zip|jar)$", "");
  }

  @Test
  void publishesTheTestedArchive() {
    assertThat(published(ARCHIVE + ".zip")).hasSameBinaryContentAs(Artefacts.archive());
  }

  @Test
  void theBillOfMaterialsNamesTheLibraries() throws IOException {
    Map<String, String> sums = bill(ARCHIVE);

    assertThat(sums.keySet()).filteredOn(jar -> jar.startsWith("slf4j-api-")).hasSize(1);
    sums.keySet().removeIf(jar -> jar.startsWith("slf4j-api-"));
    assertThat(sums).isNotEmpty().isEqualTo(bundled());
  }

  @Test
  void theBillOfTheToolNamesWhatTheNoticeNames() throws IOException {
    assertThat(bill(TOOL).keySet())
        .extracting(jar -> jar.replaceAll("-\\d.*", ""))
        .containsExactlyInAnyOrderElementsOf(
            Pattern.compile("(?m)^  .*\\(([\\w.-]+)\\)  +\\S.*$")
                .matcher(Files.readString(Path.of("NOTICE")))
                .results()
                .map(found -> found.group(1))
                .toList());
  }

  @Test
  void theBillOfTheConverterNamesItsFolder() throws IOException {
    assertThat(bill(CONVERTER).keySet())
        .isNotEmpty()
        .containsExactlyInAnyOrderElementsOf(Io.names(Path.of(CLUSTER, "plugins", "converter")));
  }

  @Test
  void theListOfLicencesNamesTheLibraries() throws IOException {
    assertThat(licences(ARCHIVE))
        .allMatch(line -> line.startsWith("(Apache License 2.0) "))
        .extracting(ReleaseFilesIT::jar)
        .containsExactlyInAnyOrderElementsOf(bundled().keySet());
    for (String file : List.of(TOOL, CONVERTER)) {
      assertThat(licences(file))
          .as(file)
          .extracting(ReleaseFilesIT::jar)
          .containsExactlyInAnyOrderElementsOf(bill(file).keySet());
    }
  }

  /** The lines of the libraries in the published list of their licences. */
  private static List<String> licences(String file) throws IOException {
    return Files.readAllLines(published(file + ".licences.txt")).stream()
        .map(String::strip)
        .filter(line -> line.startsWith("("))
        .toList();
  }

  private static String jar(String line) {
    return line.replaceAll(".*\\([\\w.-]+:([\\w.-]+):([\\w.-]+) .*", "$1-$2.jar");
  }

  /** The jars in the published bill of materials, and their sums. */
  private static Map<String, String> bill(String file) throws IOException {
    JsonNode bill = new ObjectMapper().readTree(published(file + ".cdx.json").toFile());
    Map<String, String> sums = new TreeMap<>();
    for (JsonNode component : bill.path("components")) {
      String jar =
          component.path("name").asText() + "-" + component.path("version").asText() + ".jar";
      component
          .path("hashes")
          .valueStream()
          .filter(hash -> hash.path("alg").asText().equals("SHA-512"))
          .forEach(hash -> sums.put(jar, hash.path("content").asText()));
    }
    return sums;
  }

  @Test
  void everyFileHasItsSum() throws IOException {
    List<Path> files = new ArrayList<>(Io.list(RELEASE));
    files.removeIf(file -> file.toString().matches(".*\\.(sha512|asc)"));
    assertThat(files).hasSize(8);
    for (Path file : files) {
      assertThat(Path.of(file + ".sha512"))
          .hasContent(sha512(Files.readAllBytes(file)) + "  " + file.getFileName());
    }
  }

  private static Path published(String name) {
    return RELEASE.resolve(name);
  }

  /** The libraries in the archive, and their sums. */
  private static Map<String, String> bundled() throws IOException {
    try (ZipFile zip = new ZipFile(published(ARCHIVE + ".zip").toFile())) {
      return zip.stream()
          .filter(entry -> entry.getName().matches(".*/lib/(?!kafka-connect-pos-).*\\.jar"))
          .collect(
              Collectors.toMap(
                  entry -> entry.getName().replaceAll(".*/", ""), entry -> sum(zip, entry)));
    }
  }

  private static String sum(ZipFile zip, ZipEntry entry) {
    return Io.unchecked(() -> sha512(zip.getInputStream(entry).readAllBytes()));
  }

  private static String sha512(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }
}
