package io.posconnect.cluster;

import io.posconnect.Io;
import java.lang.module.ModuleDescriptor.Version;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import org.apache.kafka.common.utils.AppInfoParser;

/**
 * The Kafka of a child process, and the Java that it runs on.
 *
 * @param version such as {@code 3.6.2}
 * @param jars the folder of its class path
 * @param javaHome the JDK
 */
public record KafkaRelease(String version, Path jars, Path javaHome) {

  private static final Path OWN_JAVA = Path.of(System.getProperty("java.home"));

  /** The Kafka that the build compiles against, on our own Java. */
  public static KafkaRelease current() {
    return new KafkaRelease(AppInfoParser.getVersion(), Artefacts.kafka(), OWN_JAVA);
  }

  /** The releases of the profile {@code versions}, oldest first, on the Java of the tests. */
  public static List<KafkaRelease> provisioned() {
    return Io.list(Artefacts.workers()).stream()
        .map(folder -> new KafkaRelease(folder.getFileName().toString(), folder, OWN_JAVA))
        .sorted(Comparator.comparing(release -> Version.parse(release.version)))
        .toList();
  }

  /** The same on another JDK. */
  public KafkaRelease on(Path jdk) {
    return new KafkaRelease(version, jars, jdk);
  }

  /** The feature release of its Java, such as 17, as the JDK's own {@code release} file says. */
  public int java() {
    return Io.unchecked(() -> Files.readAllLines(javaHome.resolve("release"))).stream()
        .filter(line -> line.startsWith("JAVA_VERSION="))
        .map(line -> line.substring(line.indexOf('=') + 1).replace("\"", ""))
        .mapToInt(text -> Runtime.Version.parse(text).feature())
        .findFirst()
        .orElseThrow(() -> new IllegalStateException(javaHome + " names no version"));
  }

  Path executable() {
    return javaHome.resolve("bin").resolve("java");
  }

  String classPath() {
    return jars.resolve("*").toString();
  }

  /** Options that send the log to standard output: Kafka 4 changed the logger. */
  List<String> logging() {
    return version.startsWith("3.")
        ? List.of("-Dlog4j.configuration=" + Artefacts.logging("log4j.properties").toUri())
        : List.of("-Dlog4j2.configurationFile=" + Artefacts.logging("log4j2.xml"));
  }

  @Override
  public String toString() {
    return "Kafka " + version + " on Java " + java();
  }
}
