package io.posconnect.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * How a child JVM is called.
 *
 * @param heap its {@code -Xmx}
 * @param options further options of the JVM
 * @param program a main class and its class path, or {@code -jar} and a file
 * @param arguments of the program
 */
record Jvm(String heap, List<String> options, List<String> program, List<String> arguments) {

  /** One of Kafka's programs. */
  static Jvm kafka(String heap, String mainClass, String... arguments) {
    return new Jvm(
        heap,
        List.of("-Dlog4j2.configurationFile=" + Artefacts.logging()),
        List.of("-cp", Artefacts.kafka(), mainClass),
        List.of(arguments));
  }

  static Jvm jar(String heap, Path jar, Map<String, String> properties) {
    List<String> options = new ArrayList<>();
    properties.forEach((name, value) -> options.add("-D" + name + "=" + value));
    return new Jvm(heap, options, List.of("-jar", jar.toString()), List.of());
  }

  /** The same with more options. */
  Jvm with(String... more) {
    List<String> all = new ArrayList<>(options);
    all.addAll(List.of(more));
    return new Jvm(heap, all, program, arguments);
  }

  /** Starts it on a leash. */
  Child start(String name, Run run) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.add("-javaagent:" + leash(run));
    command.add("-Xmx" + heap);
    command.add("-XX:+UseSerialGC");
    command.addAll(options);
    command.addAll(program);
    command.addAll(arguments);
    return Child.start(name, run.logs().resolve(name + ".log"), run.data(), command);
  }

  private static Path leash(Run run) {
    try {
      // One file a start: a running JVM must never see its agent rewritten.
      Path jar = run.folder("leash").resolve("leash-" + System.nanoTime() + ".jar");
      return Jars.write(jar, Map.of("Premain-Class", Leash.class.getName()), Map.of(), Leash.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
