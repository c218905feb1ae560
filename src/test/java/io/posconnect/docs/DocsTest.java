package io.posconnect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Io;
import io.posconnect.record.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** Checks that what the pages name exists. */
class DocsTest {

  private static final Pattern LINK = Pattern.compile("\\]\\((?!https?:)([^)#\\s]+)[^)]*\\)");
  private static final Pattern ANCHOR =
      Pattern.compile("\\]\\((?!https?:)([^)#\\s]*)#([^)\\s]+)\\)");
  private static final Pattern FILE =
      Pattern.compile("(?<![\\w/.*-])((?:config|docs|docker|src)/[\\w./-]*\\w)");
  private static final Pattern PAGE = Pattern.compile("docs/[\\w-]+\\.md");
  private static final Pattern CLASS =
      Pattern.compile("`(?:[a-z]+/)?([A-Z]\\w+)(?:\\.java)?`|-D(?:it\\.)?test=([A-Z]\\w+)");
  private static final Pattern OPTION = Pattern.compile("-D([a-z]+(?:\\.[a-z]+)?)=[<\\d]");
  private static final Pattern CODE = Pattern.compile("POS-\\d{3}");

  /** Pages are at the same place in the archive; the files of config are in its folder etc. */
  private static final String SHIPPED = "docs/[a-z-]+\\.(md|svg)|[A-Z]+\\.md|LICENSE";

  /** Classes that are not ours. */
  private static final List<String> OTHERS = List.of("ConfigDef", "SourceRecord");

  @Test
  void fitsReadmeOnOnePage() throws IOException {
    assertThat(Files.readAllLines(Path.of("README.md"))).hasSizeLessThanOrEqualTo(140);
  }

  @Test
  void linksOnlyToFilesThatAreInTheArchiveTooAndToHeadingsThatExist() throws IOException {
    for (Path page : CommandBlock.pages()) {
      for (String link : found(LINK, page)) {
        Path file = page.resolveSibling(link).normalize();
        assertThat(file).as("linked by %s", page).exists();
        assertThat(file.toString()).as("linked by %s", page).matches(SHIPPED);
      }
      for (MatchResult link : ANCHOR.matcher(Files.readString(page)).results().toList()) {
        Path target = link.group(1).isEmpty() ? page : page.resolveSibling(link.group(1));
        assertThat(anchors(target)).as("linked by %s", page).contains(link.group(2));
      }
    }
  }

  private static List<String> anchors(Path page) throws IOException {
    return Files.readAllLines(page).stream()
        .filter(line -> line.startsWith("#"))
        .map(line -> line.replaceFirst("#+ ", "").toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^a-z0-9 -]", "").replace(' ', '-'))
        .toList();
  }

  @Test
  void namesOnlyFilesThatExistAndCodesOfTheCatalog() throws IOException {
    String errors = Files.readString(Path.of("docs", "errors.md"));
    for (Path page : CommandBlock.pages()) {
      for (String file : found(FILE, page)) {
        assertThat(Path.of(file)).as("named by %s", page).exists();
      }
      assertThat(found(CODE, page)).as("in %s", page).allMatch(errors::contains);
    }
  }

  @Test
  void listsEveryTypeOfStatus() throws IOException {
    String page = Files.readString(Path.of("docs", "operating.md"));
    assertThat(Status.Type.values())
        .as("types of status that docs/operating.md lists")
        .allMatch(type -> page.contains("`" + type + "`"));
  }

  @Test
  void sourcesNameOnlyPagesThatExist() throws IOException {
    for (Path file : Io.files(Path.of("src/main"))) {
      for (String page : found(PAGE, file)) {
        assertThat(Path.of(page)).as("named by %s", file).exists();
      }
    }
  }

  @Test
  void namesOnlyClassesThatExist() throws IOException {
    List<Path> sources = Io.files(Path.of("src"));
    Path page = Path.of("docs", "development.md");
    for (String name : found(CLASS, page)) {
      if (name.chars().anyMatch(Character::isLowerCase) && !OTHERS.contains(name)) {
        assertThat(sources).as("named by %s", page).anyMatch(s -> s.endsWith(name + ".java"));
      }
    }
  }

  @Test
  void namesOnlyOptionsThatTestsRead() throws IOException {
    StringBuilder tests = new StringBuilder();
    for (Path file : Io.files(Path.of("src/test/java"))) {
      tests.append(Files.readString(file));
    }
    for (String page : List.of("development.md", "crash-law.md")) {
      for (String option : found(OPTION, Path.of("docs", page))) {
        assertThat(tests).as("named by %s", page).contains("\"" + option + "\"");
      }
    }
  }

  @Test
  void showsTheConfigurationFileInReadme() throws IOException {
    String readme = Files.readString(Path.of("README.md"));
    String file = Files.readString(Path.of("config", "one-location.json"));

    assertThat(readme)
        .contains(file.lines().map(line -> "   " + line + "\n").collect(Collectors.joining()));
  }

  @Test
  void runsTestCommandOfReadmeAtEveryCommit() throws IOException {
    assertThat(Path.of("README.md")).content().contains("`mvn -B verify`");
    assertThat(Files.readAllLines(Path.of(".ci", "run"))).contains("mvn -B verify");
  }

  @Test
  void writesCommandsThatShellUnderstands() throws Exception {
    for (Path page : CommandBlock.pages()) {
      for (CommandBlock block : CommandBlock.of(page)) {
        Process shell = new ProcessBuilder("sh", "-n", "-c", block.commands()).inheritIO().start();
        assertThat(shell.waitFor()).as("%s", block).isZero();
      }
    }
  }

  private static List<String> found(Pattern pattern, Path page) throws IOException {
    return pattern
        .matcher(Files.readString(page))
        .results()
        .map(DocsTest::group)
        .distinct()
        .toList();
  }

  private static String group(MatchResult match) {
    for (int i = 1; i <= match.groupCount(); i++) {
      if (match.group(i) != null) {
        return match.group(i);
      }
    }
    return match.group();
  }
}
