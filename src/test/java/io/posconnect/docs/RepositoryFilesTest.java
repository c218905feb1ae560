package io.posconnect.docs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.Io;
import io.posconnect.StrictFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The files under {@code .github} are what their readers expect, as far as that shows here. */
class RepositoryFilesTest {

  private static final Path GITHUB = Path.of(".github");

  /** A path in a repository, the commit, and beside it the version of that commit. */
  private static final Pattern PINNED =
      Pattern.compile("uses: ([\\w-]+/[\\w./-]+)@([0-9a-f]{40}) # (v\\d+\\.\\d+\\.\\d+)");

  /** What a job may do beyond reading the code; the comment beside each gives the reason. */
  private static final Map<String, Set<String>> ALLOWED =
      Map.of(
          "codeql.yml/analyze", Set.of("security-events"),
          "release.yml/publish", Set.of("attestations", "contents", "id-token"),
          "scorecard.yml/analyze", Set.of("id-token", "security-events"));

  private static Map<String, JsonNode> workflows() throws IOException {
    Map<String, JsonNode> all = new TreeMap<>();
    for (Path file : Io.files(GITHUB.resolve("workflows"))) {
      all.put(file.getFileName().toString(), StrictFiles.yaml(file));
    }
    return all;
  }

  @Test
  void theBuildServerRunsTheCommandsOfTheGuide() throws IOException {
    Map<String, JsonNode> workflows = workflows();
    assertThat(workflows)
        .containsOnlyKeys("ci.yml", "codeql.yml", "nightly.yml", "release.yml", "scorecard.yml");
    assertThat(commands(workflows.get("ci.yml"))).containsExactly(".ci/run");
    assertThat(commands(workflows.get("nightly.yml")))
        .containsExactly(
            "mvn -B verify -Pversions -Djdk25.home=\"$JAVA_HOME_25_X64\"",
            "mvn -B test -Dtest=CrashLawTest,LivenessLawTest,OccurrencesLawTest -Dlaw.histories=20000",
            "mvn -B verify -Dtest=none -Dsurefire.failIfNoSpecifiedTests=false"
                + " -Dit.test=BenchmarkIT -Dexcluded.groups=none");
    assertThat(commands(workflows.get("release.yml")))
        .startsWith(".ci/run", "mvn -B clean verify -Prelease");
    assertThat(Path.of(".ci", "run")).isExecutable();
  }

  private static List<String> commands(JsonNode workflow) {
    return workflow.findValuesAsText("run");
  }

  @Test
  void eachActionIsPinnedByItsCommitWithTheVersionBeside() throws IOException {
    Map<String, Set<String>> commits = new TreeMap<>();
    for (Path file : Io.files(GITHUB.resolve("workflows"))) {
      for (String line : Files.readAllLines(file)) {
        if (line.contains("uses:")) {
          var pinned = PINNED.matcher(line.strip().replaceFirst("^- ", ""));
          assertThat(pinned.matches()).as("%s: %s", file, line).isTrue();
          String repository = pinned.group(1).replaceAll("^([^/]+/[^/]+).*", "$1");
          commits
              .computeIfAbsent(repository, any -> new TreeSet<>())
              .add(pinned.group(2) + " " + pinned.group(3));
        }
      }
    }
    assertThat(commits).containsKey("actions/checkout");
    assertThat(commits).allSatisfy((action, pins) -> assertThat(pins).as(action).hasSize(1));
  }

  @Test
  void aJobReadsTheCodeAndMayDoWhatIsListed() throws IOException {
    Map<String, Set<String>> more = new TreeMap<>();
    workflows()
        .forEach(
            (file, workflow) -> {
              assertThat(workflow.path("permissions").toString())
                  .as(file)
                  .isEqualTo("{\"contents\":\"read\"}");
              workflow
                  .path("jobs")
                  .properties()
                  .forEach(
                      job -> {
                        Set<String> writes =
                            job.getValue().path("permissions").properties().stream()
                                .filter(each -> !each.getValue().asText().equals("read"))
                                .map(Map.Entry::getKey)
                                .collect(Collectors.toSet());
                        if (!writes.isEmpty()) {
                          more.put(file + "/" + job.getKey(), writes);
                        }
                      });
            });
    assertThat(more).isEqualTo(ALLOWED);
  }

  @Test
  void eachJobEndsAndKeepsNoToken() throws IOException {
    workflows()
        .forEach(
            (file, workflow) -> {
              for (JsonNode job : workflow.path("jobs")) {
                assertThat(job.path("timeout-minutes").asInt()).as(file).isBetween(1, 180);
                assertThat(job.path("runs-on").asText()).as(file).isEqualTo("ubuntu-24.04");
                JsonNode first = job.path("steps").path(0);
                assertThat(first.path("uses").asText()).as(file).startsWith("actions/checkout@");
                assertThat(first.at("/with/persist-credentials").asText("true"))
                    .as(file)
                    .isEqualTo("false");
              }
              // The name of a branch or a tag must not become a command.
              assertThat(commands(workflow)).as(file).noneMatch(run -> run.contains("${{"));
            });
  }

  @Test
  void aReleaseIsBuiltWithoutCacheAndCarriesItsProvenance() throws IOException {
    JsonNode release = workflows().get("release.yml");
    assertThat(release.findValues("cache")).isEmpty();
    assertThat(release.at("/jobs/publish/needs").asText()).isEqualTo("verify");
    JsonNode steps = release.at("/jobs/publish/steps");
    assertThat(steps.findValuesAsText("uses"))
        .anyMatch(uses -> uses.startsWith("actions/attest-build-provenance@"));
    assertThat(String.join("\n", commands(release)))
        .contains(".intoto.jsonl", "gh release create", "--draft", "target/release/*");
  }

  @Test
  void dependenciesOfEveryKindAreProposed() throws IOException {
    JsonNode updates = StrictFiles.yaml(GITHUB.resolve("dependabot.yml"));
    assertThat(updates.path("version").asInt()).isEqualTo(2);
    assertThat(updates.path("updates").findValuesAsText("package-ecosystem"))
        .containsExactly("maven", "github-actions", "docker");
    for (JsonNode update : updates.path("updates")) {
      Path folder = Path.of("." + update.path("directory").asText());
      assertThat(folder).isDirectory();
      assertThat(update.at("/schedule/interval").asText()).isEqualTo("weekly");
    }
  }

  @Test
  void formsAskForWhatAFaultNeedsAndForNoSecret() throws IOException {
    Path forms = GITHUB.resolve("ISSUE_TEMPLATE");
    assertThat(StrictFiles.yaml(forms.resolve("config.yml")).path("blank_issues_enabled").asText())
        .isEqualTo("false");
    for (String form : List.of("fault.yml", "wish.yml")) {
      JsonNode read = StrictFiles.yaml(forms.resolve(form));
      assertThat(read.path("name").asText()).as(form).isNotBlank();
      assertThat(read.path("description").asText()).as(form).isNotBlank();
      assertThat(read.path("body").findValuesAsText("id")).as(form).doesNotHaveDuplicates();
      for (JsonNode part : read.path("body")) {
        assertThat(part.path("type").asText()).isIn("markdown", "input", "textarea");
        assertThat(part.path("type").asText().equals("markdown") || part.has("id")).isTrue();
      }
    }
    assertThat(forms.resolve("fault.yml")).content().contains("SECURITY.md", "no API key");
    assertThat(GITHUB.resolve("pull_request_template.md")).content().contains("CHANGELOG.md");
    assertThat(GITHUB.resolve("CODEOWNERS")).content().containsPattern("(?m)^\\* @\\S+$");
  }
}
