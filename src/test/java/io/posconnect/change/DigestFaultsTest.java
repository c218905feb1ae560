package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A law that cannot catch what it is there for is none: each fault is written into the digest's
 * source, compiled, and found by the {@link DigestLawTest}.
 */
class DigestFaultsTest {

  private static final Path SOURCES = Path.of("src/main/java/io/posconnect");
  private static final int ENOUGH = 400;

  static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of(
            "releases a segment before the copies of its keys are settled",
            "change/Digest.java",
            "if (here ? !table.isLive(at) : fate == Fate.WRITTEN) {",
            "if (!here || !table.isLive(at)) {"),
        Arguments.of(
            "counts a record that was dropped as written",
            "change/SegmentLog.java",
            "if (written) {",
            "if (written || length > 0) {"),
        Arguments.of(
            "leaves no entry of a removal",
            "change/Digest.java",
            "append(key, Word.of(State.REMOVED, 0));",
            "table.drop(at);"),
        Arguments.of(
            "cleans a segment whose records are not all acknowledged",
            "change/Segment.java",
            "return sealed && outstanding == 0;",
            "return sealed;"),
        Arguments.of(
            "replays segments below the head",
            "change/Digest.java",
            "if (each.header().sequence() >= newest.head()) {",
            "if (each.header().sequence() > 0) {"),
        Arguments.of(
            "looks into too few slots",
            "offset/DigestReader.java",
            "static final int WINDOW = 256;",
            "static final int WINDOW = 1;"),
        Arguments.of(
            "vouches for what was acknowledged out of order",
            "change/SegmentLog.java",
            "if (image <= limit) {",
            "if (image > 0) {"),
        Arguments.of(
            "gives a slot away that is still needed",
            "change/SegmentLog.java",
            "if (segment.written == 0) {",
            "if (segment.written >= 0) {"));
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("faults")
  void isFound(String what, String file, String right, String wrong, @TempDir Path classes)
      throws Exception {
    String source = Files.readString(SOURCES.resolve(file));
    assertThat(source.replaceAll("\\s+", " ")).as(file).containsOnlyOnce(right);
    compile(replaced(source, right, wrong), Path.of(file).getFileName(), classes);

    try (Faulty faulty = new Faulty(classes)) {
      var holds =
          faulty.loadClass(DigestLawTest.class.getName()).getDeclaredMethod("holds", int.class);
      holds.setAccessible(true);
      assertThat(holds.invoke(null, ENOUGH))
          .as("the law holds though it %s", what)
          .isEqualTo(false);
    }
  }

  /** The text with that passage replaced, however its lines are broken. */
  private static String replaced(String source, String right, String wrong) {
    String[] words = right.split(" ", -1);
    List<String> quoted = new ArrayList<>();
    for (String word : words) {
      quoted.add(Pattern.quote(word));
    }
    return source.replaceFirst(String.join("\\s+", quoted), Matcher.quoteReplacement(wrong));
  }

  private static void compile(String source, Path name, Path classes) throws IOException {
    Path file = classes.resolve(name);
    Files.writeString(file, source);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    int result =
        compiler.run(
            null,
            null,
            null,
            "-proc:none",
            "-nowarn",
            "-cp",
            System.getProperty("java.class.path"),
            "-d",
            classes.toString(),
            file.toString());
    assertThat(result).as("the faulty source compiles").isZero();
  }

  /** Loads our classes anew, the faulty ones first. */
  private static final class Faulty extends URLClassLoader {

    Faulty(Path classes) throws MalformedURLException {
      super(urls(classes), DigestFaultsTest.class.getClassLoader());
    }

    private static URL[] urls(Path classes) throws MalformedURLException {
      List<URL> urls = new ArrayList<>();
      urls.add(classes.toUri().toURL());
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
        if (Files.isDirectory(Path.of(entry))) {
          urls.add(Path.of(entry).toUri().toURL());
        }
      }
      return urls.toArray(URL[]::new);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.posconnect.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }
}
