package io.posconnect.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipInputStream;
import java.util.zip.ZipOutputStream;

/** A component archive and its version. */
public record VersionedArchive(Path file, String version) {

  private static final String JAR = "/lib/kafka-connect-pos-";

  /** The one that the build made. */
  public static VersionedArchive built() throws IOException {
    Path file = Artefacts.archive();
    try (ZipFile zip = new ZipFile(file.toFile())) {
      ZipEntry manifest =
          zip.stream()
              .filter(entry -> entry.getName().endsWith("/manifest.json"))
              .findFirst()
              .orElseThrow();
      try (InputStream in = zip.getInputStream(manifest)) {
        return new VersionedArchive(file, new ObjectMapper().readTree(in).path("version").asText());
      }
    }
  }

  /** The same of another version: in every name, in the manifests, in what the connector says. */
  public VersionedArchive as(String other, Path folder) throws IOException {
    String name = Objects.requireNonNull(file.getFileName()).toString();
    Path copy = folder.resolve(name.replace(version, other));
    Files.write(copy, rewritten(Files.readAllBytes(file), other));
    return new VersionedArchive(copy, other);
  }

  /** Unzips it and returns the folder that it brings along. */
  public Path unzip(Path into) throws IOException {
    Artefacts.unzip(file, into);
    return Artefacts.only(into, "*-kafka-connect-pos-" + version);
  }

  private byte[] rewritten(byte[] zip, String other) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream(zip.length);
    try (ZipInputStream in = new ZipInputStream(new ByteArrayInputStream(zip));
        ZipOutputStream out = new ZipOutputStream(bytes)) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        out.putNextEntry(new ZipEntry(renamed(entry.getName(), other)));
        out.write(content(entry.getName(), in.readAllBytes(), other));
      }
    }
    return bytes.toByteArray();
  }

  /** Our root folder and our jar; no library has our name. */
  private String renamed(String entry, String other) {
    return entry.replace("kafka-connect-pos-" + version, "kafka-connect-pos-" + other);
  }

  private byte[] content(String entry, byte[] content, String other) throws IOException {
    if (entry.contains(JAR)) {
      return rewritten(content, other);
    }
    boolean saysVersion =
        entry.endsWith("manifest.json")
            || entry.endsWith("version.properties")
            || entry.endsWith("META-INF/MANIFEST.MF");
    return saysVersion
        ? new String(content, UTF_8).replace(version, other).getBytes(UTF_8)
        : content;
  }
}
