package io.posconnect.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.resource.Stream;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.IntSummaryStatistics;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class StreamAssignmentTest {

  private static final List<String> RESOURCES =
      List.of("products", "customers", "inventory", "locations", "twin-a", "twin-b");

  /** Two of the resources share a path, and customers their pages with one of one's own. */
  private static Props props(Set<String> locations, Set<String> resources) {
    Props props =
        Props.several(locations.toArray(String[]::new))
            .with("resources", String.join(",", resources));
    for (String twin : List.of("twin-a", "twin-b")) {
      if (resources.contains(twin)) {
        props
            .with("resources." + twin + ".path", "/twin")
            .with("resources." + twin + ".retrieval", "full")
            .with("resources." + twin + ".key.fields", "id");
      }
    }
    return props;
  }

  private static Set<String> locations(RandomGenerator random) {
    Set<String> locations = new TreeSet<>();
    for (int i = random.nextInt(12); i >= 0; i--) {
      StringBuilder name = new StringBuilder();
      for (int letters = 1 + random.nextInt(3); letters > 0; letters--) {
        name.append((char) ('a' + random.nextInt(6)));
      }
      locations.add(name.toString());
    }
    return locations;
  }

  private static Set<String> resources(RandomGenerator random) {
    Set<String> resources = new TreeSet<>(RESOURCES);
    resources.removeIf(resource -> random.nextBoolean());
    return resources.isEmpty() ? Set.of(RESOURCES.get(0)) : resources;
  }

  @Test
  void everyStreamHasExactlyOneTask() {
    RandomCases.check(
        200,
        random -> {
          SourceConfig config = props(locations(random), resources(random)).config();
          int maxTasks = 1 + random.nextInt(100);

          List<List<Stream>> tasks = StreamAssignment.of(config, maxTasks);

          assertThat(tasks).hasSizeBetween(1, maxTasks).noneMatch(List::isEmpty);
          assertThat(tasks.stream().flatMap(Collection::stream))
              .containsExactlyInAnyOrderElementsOf(config.streams());
        });
  }

  @Test
  void streamsThatShareALimitShareATask() {
    RandomCases.check(
        200,
        random -> {
          Set<String> locations = locations(random);
          SourceConfig config = props(locations, Set.copyOf(RESOURCES)).config();

          for (List<Stream> task : StreamAssignment.of(config, 1 + random.nextInt(100))) {
            for (String location : locations) {
              assertThat(task.contains(new Stream(location, "twin-a")))
                  .isEqualTo(task.contains(new Stream(location, "twin-b")));
            }
          }
        });
  }

  @Test
  void theOrderOfTheConfigurationDoesNotCount() {
    RandomCases.check(
        100,
        random -> {
          Map<String, String> props = props(locations(random), resources(random)).map();
          int maxTasks = 1 + random.nextInt(20);
          Map<String, String> shuffled = new LinkedHashMap<>();
          List<String> names = new ArrayList<>(props.keySet());
          Collections.shuffle(names, new Random(random.nextLong()));
          names.forEach(name -> shuffled.put(name, props.get(name)));
          shuffled.put("locations", reversed(props.get("locations")));
          shuffled.put("resources", reversed(props.get("resources")));

          assertThat(StreamAssignment.of(SourceConfig.checked(shuffled), maxTasks))
              .isEqualTo(StreamAssignment.of(SourceConfig.checked(props), maxTasks));
        });
  }

  private static String reversed(String list) {
    List<String> names = new ArrayList<>(List.of(list.split(",")));
    Collections.reverse(names);
    return String.join(",", names);
  }

  @Test
  void tasksAreOfNearlyEqualSize() {
    RandomCases.check(
        100,
        random -> {
          SourceConfig config = props(locations(random), Set.of("products", "customers")).config();

          IntSummaryStatistics sizes =
              StreamAssignment.of(config, 1 + random.nextInt(20)).stream()
                  .mapToInt(List::size)
                  .summaryStatistics();
          assertThat(sizes.getMax() - sizes.getMin()).isLessThanOrEqualTo(1);
        });
  }

  /** A worker that looked at every pair of them would be busy for a minute. */
  @Test
  void tenThousandStreamsAreAssigned() {
    String[] locations =
        IntStream.range(0, 2_000).mapToObj(number -> "s" + number).toArray(String[]::new);

    List<List<Stream>> tasks = StreamAssignment.of(Props.several(locations).config(), 50);

    assertThat(tasks).hasSize(50).allSatisfy(task -> assertThat(task).hasSize(200));
  }

  @Test
  void chainedLimitsKeepStreamsInOneTask() {
    SourceConfig config =
        Props.of(
                "resources=customers,members,visitors resources.customers.snapshot=pages"
                    + " resources.members.path=/customer/customers-paginated"
                    + " resources.members.retrieval=pages resources.members.key.fields=id"
                    + " resources.visitors.path=/customer/customers"
                    + " resources.visitors.retrieval=full resources.visitors.key.fields=id")
            .config();

    assertThat(StreamAssignment.of(config, 3)).hasSize(1);
  }
}
