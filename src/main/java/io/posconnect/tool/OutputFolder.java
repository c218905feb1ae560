package io.posconnect.tool;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Writes the files that a command makes into the folder of {@code --out}. */
record OutputFolder(Path folder) {

  /** Writes a file and returns where it is; a character that no file name should have becomes _. */
  Path write(String name, String text) {
    Path file = folder.resolve(name.replaceAll("[^A-Za-z0-9._-]", "_"));
    try {
      Files.createDirectories(folder);
      return Files.writeString(file, text);
    } catch (IOException e) {
      throw ExitCode.BROKEN.because(
          "--out %s cannot be written (%s): is it in a folder, with a right to write and space?"
              .formatted(file, e.getClass().getSimpleName()));
    }
  }
}
