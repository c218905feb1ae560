package io.posconnect.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.resource.Stream;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
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

  @Provide
  Arbitrary<Set<String>> locations() {
    return Arbitraries.strings()
        .withCharRange('a', 'f')
        .ofMinLength(1)
        .ofMaxLength(3)
        .set()
        .ofMinSize(1)
        .ofMaxSize(12);
  }

  @Provide
  Arbitrary<Set<String>> resources() {
    return Arbitraries.of(RESOURCES).set().ofMinSize(1);
  }

  @Property(tries = 200)
  void everyStreamHasExactlyOneTask(
      @ForAll("locations") Set<String> locations,
      @ForAll("resources") Set<String> resources,
      @ForAll @IntRange(min = 1, max = 100) int maxTasks) {
    SourceConfig config = props(locations, resources).config();

    List<List<Stream>> tasks = StreamAssignment.of(config, maxTasks);

    assertThat(tasks).hasSizeBetween(1, maxTasks).noneMatch(List::isEmpty);
    assertThat(tasks.stream().flatMap(Collection::stream))
        .containsExactlyInAnyOrderElementsOf(config.streams());
  }

  @Property(tries = 200)
  void streamsThatShareALimitShareATask(
      @ForAll("locations") Set<String> locations,
      @ForAll @IntRange(min = 1, max = 100) int maxTasks) {
    SourceConfig config = props(locations, Set.copyOf(RESOURCES)).config();

    for (List<Stream> task : StreamAssignment.of(config, maxTasks)) {
      for (String location : locations) {
        assertThat(task.contains(new Stream(location, "twin-a")))
            .isEqualTo(task.contains(new Stream(location, "twin-b")));
      }
    }
  }

  @Property(tries = 100)
  void theOrderOfTheConfigurationDoesNotCount(
      @ForAll("locations") Set<String> locations,
      @ForAll("resources") Set<String> resources,
      @ForAll @IntRange(min = 1, max = 20) int maxTasks,
      @ForAll java.util.Random random) {
    Map<String, String> props = props(locations, resources).map();
    Map<String, String> shuffled = new LinkedHashMap<>();
    List<String> names = new java.util.ArrayList<>(props.keySet());
    java.util.Collections.shuffle(names, random);
    names.forEach(name -> shuffled.put(name, props.get(name)));
    shuffled.put("locations", reversed(props.get("locations")));
    shuffled.put("resources", reversed(props.get("resources")));

    assertThat(StreamAssignment.of(new SourceConfig(shuffled), maxTasks))
        .isEqualTo(StreamAssignment.of(new SourceConfig(props), maxTasks));
  }

  private static String reversed(String list) {
    List<String> names = new java.util.ArrayList<>(List.of(list.split(",")));
    java.util.Collections.reverse(names);
    return String.join(",", names);
  }

  @Property(tries = 100)
  void tasksAreOfNearlyEqualSize(
      @ForAll("locations") Set<String> locations,
      @ForAll @IntRange(min = 1, max = 20) int maxTasks) {
    SourceConfig config = props(locations, Set.of("products", "customers")).config();

    assertThat(
            StreamAssignment.of(config, maxTasks).stream().mapToInt(List::size).summaryStatistics())
        .satisfies(sizes -> assertThat(sizes.getMax() - sizes.getMin()).isLessThanOrEqualTo(1));
  }

  @Test
  void limitsThatChainStreamsTogetherKeepThemAllInOneTask() {
    SourceConfig config =
        Props.one()
            .with("resources", "customers,members,visitors")
            .with("resources.customers.snapshot", "pages")
            .with("resources.members.path", "/customer/customers-paginated")
            .with("resources.members.retrieval", "pages")
            .with("resources.members.key.fields", "id")
            .with("resources.visitors.path", "/customer/customers")
            .with("resources.visitors.retrieval", "full")
            .with("resources.visitors.key.fields", "id")
            .config();

    assertThat(StreamAssignment.of(config, 3)).hasSize(1);
  }
}
