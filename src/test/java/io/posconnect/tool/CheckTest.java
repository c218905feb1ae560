package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Io;
import io.posconnect.TaskLog;
import io.posconnect.config.SourceConfig;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Endpoint.Permission;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckTest {

  private static final String KEY = "a-key-that-is-never-shown";

  @AutoClose private final Simulator service = Simulator.start();
  private Map<String, String> settings;
  private SimulatedLocation location;
  @TempDir private Path folder;

  @BeforeEach
  void open() {
    location = service.location(KEY);
    settings = Run.settings(service.baseUrl(), KEY);
  }

  private Run check(Object... options) {
    Run run = Run.of("check", Run.file(folder, settings), options);
    assertThat(run.all()).doesNotContain(KEY);
    assertThat(run.tooWide()).isEmpty();
    return run;
  }

  @Test
  void acceptsWhatTheConnectorAccepts() {
    settings.put("topic.creation.groups", "state,history");
    settings.put("topic.creation.state.include", "pos\\.(customers,products)");
    settings.put("topic.creation.history.include", "former\\.products, [");
    Run run = check().ending(0);
    assertThat(run.text())
        .startsWith(
            "POS-119 topic.creation.history.include: a group of topic.creation has no topic")
        .doesNotContain("state")
        .contains("the service answers as it expects");
  }

  @Test
  void printsMissingPermissionWithCodeAndRemedy() {
    service.location(KEY).forbid(Permission.REPORTING);
    Run run = check().ending(ExitCode.FOUND.number);
    assertThat(run.text())
        .contains("POS-202", "lacks Reporting, needed by inventory", "Grant the permission")
        .contains("api.key POS-202 api.key: ");
    assertThat(run.text()).doesNotContain("the service answers as it expects");
  }

  @Test
  void sendsNoRequestWhenOffline() {
    settings.put("base.url", "http://127.0.0.1:1");
    settings.put("topic.creation.groups", "state,history");
    settings.put("topic.creation.state.include", "pos\\.[a-z-]+");
    settings.put("topic.creation.history.include", "pos\\.of-no-stream");

    assertThat(check("--offline").ending(0).text())
        .startsWith("The configuration is consistent. No request was sent");
    assertThat(check().ending(ExitCode.FOUND.number).text()).contains("base.url", "POS-112");
  }

  @Test
  void printsEachFaultOfAConfiguration() {
    settings.remove("topic.prefix");
    settings.put("batch.max.records", "many");
    assertThat(check().ending(ExitCode.FOUND.number).text())
        .contains("POS-104 topic.prefix", "POS-101 batch.max.records", ": 2 faults.")
        .contains("some checks run only when all others pass");
  }

  @Test
  void refusesWhatWorkerAcceptsWithNoMoreThanWarning() {
    settings.put("deletes.max.ration", "0.5");
    settings.put("api.kye", "x");
    settings.put("exclude.fields", "email");
    settings.put("errors.tolerance", "all");
    Run run = check().ending(ExitCode.FOUND.number);
    assertThat(run.text())
        .contains("deletes.max.ration: is not a setting; known: deletes.max.ratio.")
        .contains("api.kye: is not a setting; known: api.key.")
        .contains(
            "exclude.fields: is not a general setting", "<name>.exclude.fields", ": 4 faults.")
        .contains("POS-118 errors.tolerance")
        .contains("Do not post this configuration")
        .doesNotContain("would be refused");
  }

  @Test
  void refusesServiceThatFailsForNowWithoutPromisingRetry() {
    service.faults().on(Endpoint.WHOAMI).then(Fault.status(503));
    try (TaskLog log = TaskLog.listen()) {
      Run run = check().ending(ExitCode.FOUND.number);
      assertThat(run.text()).contains("base.url POS-112").doesNotContain("worker's log");
      assertThat(log.lines()).anyMatch(line -> line.contains("GET /whoami 503"));
      assertThat(log.lines()).noneMatch(line -> line.contains("The connector retries"));
    }
  }

  @Test
  void acceptsLimitThatIsExceededEverywhere() {
    for (String path : List.of(Endpoint.WHOAMI, Endpoint.PRODUCTS, Endpoint.INVENTORY)) {
      service.faults().on(path).then(Fault.throttled());
    }

    assertThat(check().code()).isZero();
  }

  @Test
  void refusesNameThatIsNotTheOneAroundTheSettings() {
    settings.put("name", "other");
    assertThat(check().ending(ExitCode.FOUND.number).text())
        .contains("POS-105 name: must be the name around the settings: pos", ": 1 fault.");
  }

  @Test
  void printsUnknownSettingsBesideOtherFaults() {
    settings.put("retrieval", "full");
    settings.put("retry.backof.ms", "5");
    settings.put("batch.max.records", "many");
    settings.put("resources.products.pth", "/p");

    assertThat(check().text())
        .contains("POS-102 retrieval", "POS-102 retry.backof.ms", "POS-101 batch.max.records")
        .contains("POS-102 resources.products.pth", ": 4 faults.");
  }

  @Test
  void acceptsTheSettingsOfConnectItself() {
    for (String name :
        ("tasks.max key.converter key.converter.schema.registry.url transforms"
                + " transforms.route.type predicates.p.type"
                + " topic.creation.default.partitions errors.tolerance exactly.once.support"
                + " transaction.boundary header.converter offsets.storage.topic"
                + " producer.override.linger.ms config.action.reload")
            .split(" ", -1)) {
      settings.put(name, "required");
    }

    assertThat(check("--offline").code()).isZero();
  }

  @Test
  void acceptsEveryShippedConfiguration() throws Exception {
    for (Path file : Io.files(Path.of("config"))) {
      if (file.toString().endsWith(".json")
          && Files.readString(file).contains("io.posconnect.PosSourceConnector")) {
        var names = ConnectorConfig.read(file).given();
        assertThat(SourceConfig.overlooked(names)).as(file.toString()).isEmpty();
      }
    }
  }

  @Test
  void reportsRequestThatFailedForNow() {
    service.faults().on(Endpoint.INVENTORY).then(Fault.status(503));
    assertThat(check().ending(0).text())
        .contains("503", "would be accepted, but 1 request failed")
        .doesNotContain("answers as it expects");
  }

  @Test
  void warnsOfPrivateFieldThatNoSampledRowHas() {
    // Well within the days that a probe asks for.
    service.fill(location, new InitialRows(0, 60, 0, Duration.ofDays(3), 0, 0));
    settings.put("resources.customers.exclude.fields", "firstName,frstName");
    assertThat(check().ending(0).text())
        .contains(
            "POS-115 default/customers: no row of a sample of 20 rows has the field frstName.")
        .contains("the service answers as it expects");
  }

  @Test
  void warnsOfSecretOnTheCommandLine() {
    assertThat(check("--set", "api.key=" + KEY).text())
        .contains("Warning: the command line shows the secret of api.key");
    assertThat(check("--offline", "--set", "api.key=${env:PATH}").text()).doesNotContain("Warning");
  }

  @Test
  void endsWithTwoWhereNothingCanBeRead() {
    Run absent = Run.of("check", folder.resolve("absent.json")).ending(ExitCode.UNREADABLE.number);
    assertThat(absent.err()).startsWith("POS-801 ");
    assertThat(Run.of("check").code()).isEqualTo(ExitCode.UNREADABLE.number);
    assertThat(check("--set", "=x").code()).isEqualTo(ExitCode.UNREADABLE.number);
    assertThat(check("--set", "=x").err()).contains("--set", "SETTING=VALUE");
    assertThat(Run.of("chekc").err()).contains("check");
    assertThat(check("--set", "api.key=${env:POS_NO_SUCH}").err())
        .startsWith("POS-802 api.key: ${env:POS_NO_SUCH}");
  }
}
