package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Artefacts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** The end of a program, and what it printed. */
record Program(List<String> command, int code, String out, String err) {

  static final String JAVA = Path.of(System.getProperty("java.home"), "bin", "java").toString();

  /** Runs it, for five minutes at most. */
  static Program run(List<String> command) throws IOException, InterruptedException {
    Path out = Files.createTempFile("out", "");
    Path err = Files.createTempFile("err", "");
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(out.toFile())
            .redirectError(err.toFile())
            .start();
    try {
      assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("%s ends", command).isTrue();
      return new Program(
          command, process.exitValue(), Files.readString(out), Files.readString(err));
    } finally {
      process.destroyForcibly();
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Runs the tool's jar. */
  static Program tool(Object... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(JAVA, "-jar", Artefacts.tool().toString()));
    Stream.of(arguments).map(Object::toString).forEach(command::add);
    return run(command);
  }

  /** What it printed, if it succeeded. */
  String succeeded() {
    assertThat(code).as("%s: %s%s", command, out, err).isZero();
    return out;
  }
}
