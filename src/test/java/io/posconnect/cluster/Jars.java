package io.posconnect.cluster;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;

/** Small jars of a few test classes, and zips taken apart. */
final class Jars {

  private Jars() {}

  /** A jar with those classes, those text entries and those attributes in its manifest. */
  static Path write(
      Path jar, Map<String, String> attributes, Map<String, String> texts, Class<?>... classes)
      throws IOException {
    Manifest manifest = new Manifest();
    manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
    attributes.forEach((name, value) -> manifest.getMainAttributes().putValue(name, value));
    Files.createDirectories(jar.toAbsolutePath().getParent());
    try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar), manifest)) {
      for (Map.Entry<String, String> text : texts.entrySet()) {
        out.putNextEntry(new ZipEntry(text.getKey()));
        out.write(text.getValue().getBytes(StandardCharsets.UTF_8));
      }
      for (Class<?> type : classes) {
        String entry = type.getName().replace('.', '/') + ".class";
        out.putNextEntry(new ZipEntry(entry));
        try (InputStream in = type.getClassLoader().getResourceAsStream(entry)) {
          if (in == null) {
            throw new IOException("no class file of " + type);
          }
          in.transferTo(out);
        }
      }
    }
    return jar;
  }

  static void unzip(Path zip, Path into) throws IOException {
    try (ZipInputStream in = new ZipInputStream(Files.newInputStream(zip))) {
      for (ZipEntry entry = in.getNextEntry(); entry != null; entry = in.getNextEntry()) {
        Path target = into.resolve(entry.getName()).normalize();
        if (!target.startsWith(into)) {
          throw new IOException("entry leaves the folder: " + entry.getName());
        }
        if (entry.isDirectory()) {
          Files.createDirectories(target);
        } else {
          Files.createDirectories(target.getParent());
          Files.copy(in, target);
        }
      }
    }
  }
}
