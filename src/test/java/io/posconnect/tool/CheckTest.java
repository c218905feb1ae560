package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.simulator.Endpoint.Permission;
import io.posconnect.simulator.Simulator;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckTest {

  private static final String KEY = "a-key-that-nobody-shows";

  private final Simulator service = Simulator.start();
  @TempDir private Path folder;

  @AfterEach
  void close() {
    service.close();
  }

  private Map<String, String> settings() {
    service.location(KEY);
    Map<String, String> settings = new TreeMap<>();
    settings.put("connector.class", "io.posconnect.PosSourceConnector");
    settings.put("base.url", service.baseUrl().toString());
    settings.put("api.key", KEY);
    settings.put("topic.prefix", "pos");
    return settings;
  }

  private Run check(Map<String, String> settings, Object... options) {
    Object[] arguments = new Object[options.length + 2];
    arguments[0] = "check";
    arguments[1] = Run.file(folder, settings);
    System.arraycopy(options, 0, arguments, 2, options.length);
    return Run.of(arguments);
  }

  @Test
  void acceptsWhatTheConnectorAccepts() {
    Run run = check(settings());

    assertThat(run.code()).as(run.all()).isZero();
    assertThat(run.out()).contains("the service answers as it expects");
  }

  @Test
  void tellsWhatIsMissingWithItsCodeAndRemedy() {
    service.location(KEY).forbid(Permission.REPORTING);
    Run run = check(settings());

    assertThat(run.code()).isEqualTo(Tool.FOUND);
    assertThat(run.out().lines().findFirst())
        .hasValueSatisfying(
            header ->
                assertThat(header.split(" +"))
                    .containsExactly("SETTING", "CODE", "MESSAGE", "REMEDY"));
    assertThat(run.out()).contains("api.key", "POS-202", "Reporting");
    assertThat(run.out().replaceAll("\\s+", " ")).contains("Grant the permission");
    assertThat(run.all()).doesNotContain(KEY);
  }

  @Test
  void asksNobodyWhenItIsToldSo() {
    Map<String, String> settings = settings();
    settings.put("base.url", "http://127.0.0.1:1");

    assertThat(check(settings, "--offline").code()).isZero();
    assertThat(check(settings, "--offline").out()).contains("not asked");
    assertThat(check(settings).code()).isEqualTo(Tool.FOUND);
    assertThat(check(settings).out()).contains("base.url", "POS-112");
  }

  @Test
  void tellsEachFaultOfAWrongConfiguration() {
    Map<String, String> settings = settings();
    settings.remove("topic.prefix");
    settings.put("batch.max.records", "many");
    Run run = check(settings);

    assertThat(run.code()).isEqualTo(Tool.FOUND);
    assertThat(run.line("topic.prefix")).contains("POS-104");
    assertThat(run.line("batch.max.records")).contains("POS-101");
  }

  @Test
  void endsWithTwoWhereNothingCanBeRead() {
    Run absent = Run.of("check", folder.resolve("absent.json"));

    assertThat(absent.code()).isEqualTo(Tool.UNREADABLE);
    assertThat(absent.err()).startsWith("POS-801 ");
    assertThat(Run.of("check").code()).isEqualTo(Tool.UNREADABLE);
    assertThat(Run.of("chekc").err()).contains("check");
    assertThat(check(settings(), "--set", "api.key=${env:POS_NO_SUCH}").err())
        .startsWith("POS-802 api.key: ${env:POS_NO_SUCH}");
  }
}
