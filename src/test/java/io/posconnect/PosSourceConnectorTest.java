package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.hostile.Certificates;
import io.posconnect.resource.Stream;
import io.posconnect.validation.FakeApi;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import java.util.stream.IntStream;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.source.ConnectorTransactionBoundaries;
import org.apache.kafka.connect.source.ExactlyOnceSupport;
import org.apache.kafka.connect.source.SourceConnector;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PosSourceConnectorTest {

  private final FakeApi api = new FakeApi();
  private final PosSourceConnector connector =
      new PosSourceConnector(() -> FakeApi.validator((config, location) -> api));

  @Test
  void isFoundByWorkerAndHasVersionOfBuild() {
    assertThat(ServiceLoader.load(SourceConnector.class))
        .hasAtLeastOneElementOfType(PosSourceConnector.class);
    assertThat(connector.version()).matches("\\d+\\.\\d+\\.\\d+.*");
    assertThat(new PosSourceTask().version()).isEqualTo(connector.version());
  }

  @Test
  void warnsOfNamesThatNothingReadsAndOfToleranceThatLosesEvents() {
    try (TaskLog log = TaskLog.listenAtInfo()) {
      connector.start(
          Props.one().with("deletes.max.ration", "1").with("transforms.r.type", "x").map());
      connector.start(Props.one().with("errors.tolerance", " all").map());
      connector.start(Props.one().with("errors.tolerance", "none").map());
      Props group = Props.one().with("topic.creation.groups", "state , history");
      connector.start(group.with("topic.creation.state.include", "pos\\.[a-z-]*").map());
      connector.start(
          group.with("topic.creation.state.exclude", "pos\\.[a-q].*, pos\\.[rs].*").map());
      connector.start(group.with("topic.creation.state.include", "former\\..*").map());
      connector.start(
          group
              .with("topic.creation.groups", " state, default")
              .with("topic.creation.default.include", ".*")
              .with("topic.creation.include", "pos.*")
              .map());
      group.without("topic.creation.default.include").without("topic.creation.include");
      group.without("topic.creation.state.exclude").with("topic.creation.groups", "history");
      connector.start(group.with("topic.creation.state.include", "pos\\.[a-z-]*").map());
      connector.start(group.with("transforms", "rename").map());
      assertThat(log.lines())
          .filteredOn(line -> line.contains("POS-102"))
          .singleElement()
          .asString()
          .contains("WARN", "deletes.max.ration: is not a setting; known: deletes.max.ratio");
      assertThat(log.lines())
          .filteredOn(line -> line.contains("errors.tolerance"))
          .singleElement()
          .asString()
          .contains("WARN", "POS-118", "Set errors.tolerance to none");
      assertThat(log.lines())
          .filteredOn(line -> line.contains("POS-119 topic.creation.state.include"))
          .hasSize(4);
      assertThat(log.lines()).noneMatch(line -> line.contains("POS-119 topic.creation.default"));
    }
  }

  @Test
  void refusesToStartWithFaultyConfigurationAndHasNoTasksBeforeStart() {
    assertThatThrownBy(() -> connector.start(Props.one().without("base.url").map()))
        .isInstanceOf(ConfigException.class)
        .hasMessageStartingWith("POS-104 base.url: ");
    assertThatThrownBy(() -> connector.taskConfigs(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void assignsEachStreamToOneTaskWithoutRequests() {
    Map<String, String> props = Props.several("b", "a").with("tasks.max", "3").map();
    connector.start(props);

    List<Map<String, String>> tasks = connector.taskConfigs(3);
    assertThat(api.requests).isEmpty();
    assertThat(tasks).hasSize(3).allSatisfy(task -> assertThat(task).containsAllEntriesOf(props));
    assertThat(tasks)
        .extracting(task -> task.get("task.streams"))
        .first()
        .isEqualTo("a/customers,a/inventory,a/locations,a/products");
    assertThat(
            tasks.stream()
                .map(task -> SourceConfig.checked(task).taskStreams())
                .flatMap(Collection::stream))
        .hasSize(10)
        .doesNotHaveDuplicates()
        .contains(new Stream("b", "register-transactions"));
  }

  @Test
  void writesExactlyOnceByPolls() {
    assertThat(connector.exactlyOnceSupport(Map.of())).isEqualTo(ExactlyOnceSupport.SUPPORTED);
    assertThat(connector.canDefineTransactionBoundaries(Map.of()))
        .isEqualTo(ConnectorTransactionBoundaries.UNSUPPORTED);
    assertThat(connector.taskClass()).isEqualTo(PosSourceTask.class);
  }

  @Test
  void reportsUnreadableStoreWithoutRequests() {
    Props props =
        Props.one()
            .with("validate.connection", "false")
            .with("ssl.truststore.location", "/none.p12");

    assertThat(faulty(new PosSourceConnector(), props.map()))
        .singleElement()
        .satisfies(
            value -> {
              assertThat(value.name()).isEqualTo("ssl.truststore.location");
              assertThat(value.errorMessages().get(0))
                  .contains("POS-110 ssl.truststore.location: ", "/none.p12");
            });
  }

  @Test
  void readsStoreAgainForEachValidation(@TempDir Path folder) throws IOException {
    Path store = folder.resolve("trust.pem");
    Files.writeString(store, Certificates.held("service").certificatePem());
    Map<String, String> settings =
        Props.one()
            .with("validate.connection", "false")
            .with("ssl.truststore.type", "PEM")
            .with("ssl.truststore.location", store.toString())
            .map();
    PosSourceConnector real = new PosSourceConnector();
    assertThat(faulty(real, settings)).isEmpty();

    Files.writeString(store, "no certificate");

    assertThat(faulty(real, settings))
        .extracting(ConfigValue::name)
        .containsExactly("ssl.truststore.location");
  }

  @Test
  void validatesThousandLocations() {
    String[] names =
        IntStream.range(0, 1_000).mapToObj("store%04d"::formatted).toArray(String[]::new);
    Props props =
        Props.several(names)
            .with("base.url", "http://127.0.0.1:9")
            .with("locations.store0007.base.url", "https://127.0.0.1:9");
    assertThat(faulty(connector, props.map())).isEmpty();
    assertThat(api.requests).as("in time").hasSize(5_000);
    props.with("validate.connection", "false");
    assertThat(faulty(new PosSourceConnector(), props.map())).isEmpty();
  }

  private static List<ConfigValue> faulty(PosSourceConnector asked, Map<String, String> settings) {
    return asked.validate(settings).configValues().stream()
        .filter(value -> !value.errorMessages().isEmpty())
        .toList();
  }

  @Test
  void validatesEverySettingOfDefinition() {
    assertThat(connector.validate(Props.one().map()).configValues())
        .extracting(ConfigValue::name)
        .containsAll(connector.config().names());
  }
}
