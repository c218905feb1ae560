package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.location.ClientFactory;
import io.posconnect.task.TaskFactory;
import io.posconnect.validation.FakeApi;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.random.RandomGenerator;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The validation of every configuration ends, and an accepted one runs. */
class HostileSettingsTest {

  private static final int CASES = 1_500;

  @TempDir private static Path folder;

  private final AtomicInteger accepted = new AtomicInteger();
  private final AtomicInteger refused = new AtomicInteger();

  @BeforeAll
  static void layOut() throws Exception {
    HostileSettings.layOut(folder);
  }

  /** The connector of a worker, with a fake service. */
  private static PosSourceConnector connector() {
    return new PosSourceConnector(
        () ->
            FakeApi.validator(
                (config, location) -> {
                  ClientFactory.sharing().create(config, location).close();
                  return new FakeApi();
                }));
  }

  @Test
  void validatesEveryConfigurationAndRunsAccepted() {
    RandomCases.check(CASES, this::check);
    if (System.getProperty("seed") == null) {
      assertThat(accepted.get()).as("accepted").isGreaterThan(CASES / 10);
      assertThat(refused.get()).as("refused").isGreaterThan(CASES / 4);
    }
  }

  private void check(RandomGenerator random) {
    Map<String, String> settings = HostileSettings.random(random, folder);
    PosSourceConnector connector = connector();
    List<ConfigValue> faults =
        connector.validate(settings).configValues().stream()
            .filter(value -> !value.errorMessages().isEmpty())
            .toList();
    for (ConfigValue fault : faults) {
      assertThat(fault.name()).isIn(existing(settings));
      assertThat(fault.errorMessages())
          .allSatisfy(Messages::assertExplained)
          .noneMatch(message -> message.contains(HostileSettings.SECRET));
    }
    if (faults.isEmpty()) {
      accepted.incrementAndGet();
      run(connector, settings);
    } else {
      refused.incrementAndGet();
    }
  }

  /** The given settings, the general ones, and overrides at which a fault may stand. */
  private static Set<String> existing(Map<String, String> settings) {
    Set<String> names = new HashSet<>(settings.keySet());
    names.addAll(SourceConfig.definition(Map.of()).names());
    Set<String> overrides = new HashSet<>();
    for (String name : settings.keySet()) {
      String[] parts = name.split("\\.", 3);
      if (parts.length == 3) {
        overrides.add(parts[0] + "." + parts[1]);
      }
    }
    for (String resource : resources(settings)) {
      overrides.add("resources." + resource);
    }
    for (String location : settings.getOrDefault("locations", "").split(",", -1)) {
      overrides.add("locations." + location.trim());
    }
    for (String owner : overrides) {
      Props.ofResources().forEach(setting -> names.add(owner + "." + setting));
      Props.ofLocations().forEach(setting -> names.add(owner + "." + setting));
    }
    return names;
  }

  private static Set<String> resources(Map<String, String> settings) {
    Set<String> resources =
        new HashSet<>(
            List.of("products", "customers", "register-transactions", "inventory", "locations"));
    settings.forEach(
        (name, value) -> {
          if (name.endsWith("resources")) {
            for (String resource : value.split(",", -1)) {
              resources.add(resource.trim());
            }
          }
        });
    return resources;
  }

  private static void run(PosSourceConnector connector, Map<String, String> settings) {
    connector.start(settings);
    for (Map<String, String> task : connector.taskConfigs(2)) {
      new TaskFactory(
              SourceConfig.checked(task),
              TaskContext.of(() -> task, Map.of()),
              Time.SYSTEM,
              new SharedRateLimits())
          .start()
          .close();
    }
  }
}
