package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.config.Props;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.kafka.connect.data.Field;
import org.apache.kafka.connect.data.Struct;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The larger contracts that a user may choose fit the rows of a service that sends a lot. */
class ReadyContractsTest {

  private static final Path CONTRACTS = Path.of("config", "contracts");
  private static final ObjectMapper JSON = new ObjectMapper();

  /** Which of their fields always are null at this service. */
  private static final Set<String> EMPTY = Set.of("effects", "adjustment");

  @ParameterizedTest
  @ValueSource(strings = {"products", "customers", "inventory", "register-transactions"})
  void everyRowFitsItsReadyContract(String resource) throws IOException {
    try (Simulator service = Simulator.builder().unlimited().withoutHistory().start()) {
      SimulatedLocation location = service.location();
      location.table(resource).generate(200);
      Props settings =
          DrivenTask.props(service, resource)
              .with("start.from", service.now().minusSeconds(86_400).toString())
              .with("resources." + resource + ".schema.file", file(resource).toString());
      try (DrivenTask task = DrivenTask.start(settings.map())) {
        task.until("all rows are emitted", () -> task.records("pos." + resource).size() >= 200);
        task.fetches(1);
        List<Struct> rows =
            task.values("pos." + resource).stream().map(value -> value.getStruct("after")).toList();

        assertThat(task.values("pos.checkpoints"))
            .extracting(value -> value.getInt64("type_mismatches"))
            .containsOnly(0L);
        Set<String> declared = declared(resource);
        assertThat(filled(rows))
            .containsAll(declared.stream().filter(name -> !EMPTY.contains(name)).toList());
        for (Struct row : rows) {
          assertThat(undeclared(row)).doesNotContainAnyElementsOf(lower(declared));
        }
      }
    }
  }

  private static Path file(String resource) {
    return CONTRACTS.resolve(resource + ".avsc").toAbsolutePath();
  }

  private static Set<String> declared(String resource) throws IOException {
    Set<String> names = new TreeSet<>();
    JSON.readTree(file(resource).toFile())
        .path("fields")
        .forEach(field -> names.add(field.path("name").asText()));
    return names;
  }

  private static Set<String> filled(List<Struct> rows) {
    return rows.stream()
        .flatMap(row -> row.schema().fields().stream().filter(field -> row.get(field) != null))
        .map(Field::name)
        .collect(Collectors.toSet());
  }

  /** The fields that no type was declared for. */
  private static List<String> undeclared(Struct row) throws IOException {
    List<String> names = new ArrayList<>();
    JSON.readTree(row.getString("extra")).fieldNames().forEachRemaining(names::add);
    return lower(names);
  }

  private static List<String> lower(Iterable<String> names) {
    List<String> lower = new ArrayList<>();
    names.forEach(name -> lower.add(name.toLowerCase(Locale.ROOT)));
    return lower;
  }

  @Test
  void triesEveryReadyContract() {
    assertThat(Io.names(CONTRACTS))
        .containsExactlyInAnyOrder(
            "products.avsc", "customers.avsc", "inventory.avsc", "register-transactions.avsc");
  }
}
