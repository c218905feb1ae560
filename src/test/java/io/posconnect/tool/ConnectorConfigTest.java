package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ConnectorConfigTest {

  @TempDir private Path folder;

  private ConnectorConfig read(String text) throws IOException {
    return ConnectorConfig.read(Files.writeString(folder.resolve("given"), text));
  }

  @Test
  void readsAllThreeFormsAlike() throws IOException {
    Map<String, String> settings = Map.of("topic.prefix", "pos", "tasks.max", "2");
    ConnectorConfig posted =
        read("{\"name\":\"n\",\"config\":{\"topic.prefix\":\"pos\",\"tasks.max\":2}}");

    assertThat(posted.given()).isEqualTo(settings);
    assertThat(posted.name()).hasValue("n");
    assertThat(posted.resolved()).containsEntry("name", "n");
    assertThat(read(" {\"topic.prefix\":\"pos\",\"tasks.max\":\"2\"}").given()).isEqualTo(settings);
    assertThat(read("# a comment\n\ntopic.prefix = pos\ntasks.max=\\\n2\n").given())
        .isEqualTo(settings);
  }

  @Test
  void writesBackWhatStandsAroundTheSettings() throws IOException {
    String config = "\"config\":{\"topic.prefix\":\"pos\"}";

    assertThat(read("{\"name\":\"n\",\"initial_state\":\"STOPPED\"," + config + "}").json())
        .contains("\"name\" : \"n\"", "\"initial_state\" : \"STOPPED\"", "\"config\" : {");
    assertThat(read("{\"name\":\"n\",\"tasks\":[],\"type\":\"source\"," + config + "}").json())
        .doesNotContain("tasks", "type");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"a\":null,\"b\":1}",
        "{\"name\":\"n\",\"config\":{\"a\":null}}",
        "{\"a\":[]}",
      })
  void refusesValueThatConnectDoesNotTake(String text) {
    assertThatThrownBy(() -> read(text)).hasMessageContaining("as the value of a.");
  }

  @Test
  void resolvesReferencesAndWritesThemBack() throws IOException {
    Path secrets = Files.writeString(folder.resolve("secrets"), "key=from-a-file\n");
    Files.writeString(folder.resolve("password"), "from-a-folder");
    ConnectorConfig config =
        read(
            "{\"name\":\"n\",\"config\":{\"api.key\":\"${file:%s:key}\",\"api.password\":\"${dir:%s:password}\",\"topic.prefix\":\"${env:PATH}\"}}"
                .formatted(secrets, folder));

    assertThat(config.resolved())
        .containsEntry("api.key", "from-a-file")
        .containsEntry("api.password", "from-a-folder")
        .containsEntry("topic.prefix", System.getenv("PATH"));
    assertThat(config.secrets()).contains("from-a-file", "from-a-folder");
    assertThat(config.json()).contains("${file:" + secrets + ":key}").doesNotContain("from-a");
    assertThat(config.openSecrets()).isEmpty();
  }

  @Test
  void refusesUnresolvedReferenceAndNamesItsSetting() {
    for (String reference :
        new String[] {"${env:POS_NO_SUCH}", "${file:/no/such:key}", "${vault:pos:key}"}) {
      assertThatThrownBy(() -> read("api.key=" + reference).resolved())
          .isInstanceOf(EndedException.class)
          .hasMessageStartingWith("POS-802 api.key: " + reference + " cannot be resolved here. ");
    }
  }

  @Test
  void replacesSecretInTheFileByReference() throws IOException {
    ConnectorConfig config = read("api.key=plain-secret\ntopic.prefix=pos\n");

    assertThat(config.openSecrets()).containsExactly("api.key");
    assertThat(config.json()).doesNotContain("plain-secret").contains("${file:");
  }

  @Test
  void refusesOtherFilesWithoutQuotingThem() {
    for (String text :
        new String[] {
          "{\"api.key\":\"s3cret\"",
          "{\"api.key\":{\"a\":\"s3cret\"}}",
          "api.key=\\uXs3cret",
          "{\"api.key\":\"s3cret\",\"api.key\":\"s3cret\"}",
          "{\"api.key\":\"s3cret\"} {}",
          "[1,\"s3cret\"]",
          "\"s3cret\"",
          "null",
          "api.key: s3cret\n",
          "config:\n  api.key: s3cret\n",
          "- s3cret\n"
        }) {
      assertThatThrownBy(() -> read(text))
          .as(text)
          .isInstanceOf(EndedException.class)
          .hasMessageStartingWith("POS-801 ")
          .hasMessageNotContaining("s3cret");
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " \n", "# a comment\n", "{}", "\ufeff"})
  void refusesFileWithoutSettings(String text) {
    assertThatThrownBy(() -> read(text))
        .isInstanceOf(EndedException.class)
        .hasMessageContaining("has no settings");
  }

  @Test
  void namesJsonThatIsNoObject() {
    assertThatThrownBy(() -> read("null\n")).hasMessageContaining("it is JSON, but no object");
  }

  @Test
  void readsFileThatBeginsWithByteOrderMark() throws IOException {
    assertThat(read("\ufeff{\"topic.prefix\":\"pos\"}").given())
        .isEqualTo(Map.of("topic.prefix", "pos"));
    assertThat(read("\ufefftopic.prefix=pos\n").given()).isEqualTo(Map.of("topic.prefix", "pos"));
  }

  @Test
  void refusesFolderAndDeviceWithoutEnd() {
    for (Path file : new Path[] {folder, Path.of("/dev/zero")}) {
      assertThatThrownBy(() -> ConnectorConfig.read(file))
          .isInstanceOf(EndedException.class)
          .hasMessageStartingWith("POS-801 ");
    }
  }

  @Test
  void settingsOfTheCommandLineReplaceTheFiles() throws IOException {
    Path file = Files.writeString(folder.resolve("given"), "a=1\nb=2\nd=\n");

    assertThat(ConnectorConfig.read(file).with(Map.of("a", "3", "b", "", "c", "4")).given())
        .isEqualTo(Map.of("a", "3", "c", "4", "d", ""));
  }
}
