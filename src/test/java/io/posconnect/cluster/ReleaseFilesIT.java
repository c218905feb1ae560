package io.posconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;

/** The files of the profile {@code release} agree with the archive beside them. */
@EnabledIfSystemProperty(named = "release.directory", matches = ".+")
class ReleaseFilesIT {

  private static final Path RELEASE = Path.of(System.getProperty("release.directory", "target"));

  @Test
  void publishesTheTestedArchive() {
    assertThat(published(".zip")).hasSameBinaryContentAs(Artefacts.archive());
  }

  @Test
  void theBillOfMaterialsNamesTheLibraries() throws IOException {
    JsonNode bill = new ObjectMapper().readTree(published(".cdx.json").toFile());

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
    assertThat(sums.keySet()).filteredOn(jar -> jar.startsWith("slf4j-api-")).hasSize(1);
    sums.keySet().removeIf(jar -> jar.startsWith("slf4j-api-"));
    assertThat(sums).isNotEmpty().isEqualTo(bundled());
  }

  @Test
  void theListOfLicencesNamesTheLibraries() throws IOException {
    List<String> listed =
        Files.readAllLines(published(".licences.txt")).stream()
            .filter(line -> line.strip().startsWith("("))
            .toList();

    assertThat(listed).allMatch(line -> line.strip().startsWith("(Apache License 2.0) "));
    assertThat(listed)
        .extracting(line -> line.replaceAll(".*\\([\\w.-]+:([\\w.-]+):([\\w.-]+) .*", "$1-$2.jar"))
        .containsExactlyInAnyOrderElementsOf(bundled().keySet());
  }

  @Test
  void everyFileHasItsSum() throws IOException {
    List<Path> files;
    try (Stream<Path> all = Files.list(RELEASE)) {
      files = all.filter(file -> !file.toString().matches(".*\\.(sha512|asc)")).toList();
    }
    assertThat(files).hasSizeGreaterThanOrEqualTo(4);
    for (Path file : files) {
      assertThat(Path.of(file + ".sha512"))
          .hasContent(sha512(Files.readAllBytes(file)) + "  " + file.getFileName());
    }
  }

  private static Path published(String ending) {
    try (Stream<Path> files = Files.list(RELEASE)) {
      return files.filter(file -> file.toString().endsWith(ending)).findFirst().orElseThrow();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The libraries in the archive, and their sums. */
  private static Map<String, String> bundled() throws IOException {
    try (ZipFile zip = new ZipFile(published(".zip").toFile())) {
      return zip.stream()
          .filter(entry -> entry.getName().matches(".*/lib/(?!kafka-connect-pos-).*\\.jar"))
          .collect(
              Collectors.toMap(
                  entry -> entry.getName().replaceAll(".*/", ""), entry -> sum(zip, entry)));
    }
  }

  private static String sum(ZipFile zip, ZipEntry entry) {
    try (InputStream in = zip.getInputStream(entry)) {
      return sha512(in.readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String sha512(byte[] bytes) {
    try {
      return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-512").digest(bytes));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has it", e);
    }
  }
}
