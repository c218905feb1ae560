package io.posconnect;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideOutsideOfPackages;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.type;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.GeneralCodingRules;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

/** The rules of which room may use which. */
class ArchitectureTest {

  private static final String ROOT = "io.posconnect";

  /**
   * Which rooms a room may import, besides itself and {@link Version}. The root package may import
   * {@code task}, {@code validation} and what they are given.
   */
  private static final Map<String, Set<String>> LAW =
      Map.ofEntries(
          entry("problem", Set.of()),
          entry("resource", Set.of()),
          entry("json", Set.of("resource")),
          entry("client", Set.of("resource", "json")),
          entry("change", Set.of("resource", "json")),
          entry("offset", Set.of("resource", "change")),
          entry("metrics", Set.of("resource")),
          entry("record", Set.of("resource", "json")),
          entry("config", Set.of("resource", "json", "record", "client")),
          entry("location", Set.of("resource", "client", "config", "fetch")),
          entry("validation", Set.of("resource", "json", "client", "config", "location")),
          entry(
              "fetch",
              Set.of("resource", "json", "client", "change", "record", "offset", "metrics")),
          entry(
              "task",
              Set.of(
                  "resource client change record offset metrics config fetch location".split(" "))),
          // It may import what it needs: it is packaged apart, and no room uses it.
          entry("tool", Set.of()));

  private static final JavaClasses MAIN =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          // It is packaged with the tool alone, and has a law of its own: SimulatorTest.
          .withImportOption(place -> !place.contains("/io/posconnect/simulator/"))
          .importPackages(ROOT);

  static Stream<String> rooms() {
    return LAW.keySet().stream().filter(room -> !room.equals("tool"));
  }

  @ParameterizedTest
  @MethodSource("rooms")
  void roomsImportOnlyAllowedRooms(String room) {
    String[] allowed =
        Stream.concat(Stream.of(room, "problem"), LAW.get(room).stream())
            .map(ArchitectureTest::packages)
            .toArray(String[]::new);
    DescribedPredicate<JavaClass> forbidden =
        resideInAnyPackage(ROOT + "..")
            .and(resideOutsideOfPackages(allowed))
            .and(not(type(Version.class)));
    check(
        noClasses()
            .that()
            .resideInAPackage(packages(room))
            .should()
            .dependOnClassesThat(forbidden)
            .because("a room that knows few others can be read, tested and replaced alone"));
  }

  @Test
  void everyClassIsInRootOrRoom() {
    check(
        classes()
            .should()
            .resideInAnyPackage(
                Stream.concat(Stream.of(ROOT), LAW.keySet().stream().map(room -> ROOT + "." + room))
                    .toArray(String[]::new))
            .because("a new room needs an entry in the law, and rooms have no rooms within"));
  }

  /** The rooms that may, what they use, and the reason. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          tool | io.posconnect.tool.. picocli.. io.apicurio.. | the archive has neither the command line nor its libraries
          client tool | okhttp3.. okio.. java.net.http.. | another HTTP client must be a change of one room; the command line, packaged apart, asks the registry with it
          json tool | com.fasterxml.jackson.. | limits of the parser and offsets into a body hold only where they are known; the command line reads and writes documents of its own with it
          """)
  void onlyItsRoomsUseCommandLineHttpClientAndParser(String rooms, String used, String reason) {
    check(
        noClasses()
            .that()
            .resideOutsideOfPackages(
                Stream.of(rooms.split(" ")).map(ArchitectureTest::packages).toArray(String[]::new))
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage(used.split(" "))
            .because(reason));
  }

  @Test
  void roomsHaveNoCycles() {
    check(
        slices()
            .matching(ROOT + ".(*)..")
            .should()
            .beFreeOfCycles()
            .because("records flow one way, from bytes to poll()"));
  }

  @Test
  void pureRoomsUseNoKafka() {
    check(
        noClasses()
            .that()
            .resideInAnyPackage(
                packages("resource"), packages("json"), packages("client"), packages("change"))
            .and()
            .doNotHaveFullyQualifiedName(ROOT + ".client.Tls")
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.apache.kafka..")
            .because(
                "reading the service and comparing rows has nothing to do with Kafka, but for"
                    + " the one class that takes TLS from Kafka's own settings"));
  }

  @Test
  void printsNothingPastWorkersLog() {
    check(
        GeneralCodingRules.NO_CLASSES_SHOULD_USE_JAVA_UTIL_LOGGING.because(
            "a worker configures SLF4J"));
    check(
        noClasses()
            .that(doNotPrintForALiving())
            .should(GeneralCodingRules.ACCESS_STANDARD_STREAMS)
            .because("a worker's standard output is not the connector's"));
  }

  @Test
  void noThreadSleeps() {
    check(
        noClasses()
            .should()
            .callMethod(Thread.class, "sleep", long.class)
            .orShould()
            .callMethod(Thread.class, "sleep", long.class, int.class)
            .orShould()
            .callMethod(TimeUnit.class, "sleep", long.class)
            .because("a sleeping thread cannot be stopped; delays are values that a queue keeps"));
  }

  @Test
  void interruptsNoThreadOfConnect() throws IOException {
    check(
        noClasses()
            .should()
            .callMethodWhere(
                DescribedPredicate.describe(
                    "it may interrupt whoever runs a task",
                    call ->
                        call.getName().equals("cancel")
                            && call.getTarget().getOwner().isAssignableTo(Future.class)))
            .because("Connect fails a task whose thread is interrupted while it commits"));
    for (Path file : Io.files(Path.of("src", "main", "java"))) {
      // A method that catches an interrupt may only restore it.
      assertThat(Files.readString(file).replace("Thread.currentThread().interrupt()", ""))
          .as("%s", file)
          .doesNotContainPattern("(\\.|::)interrupt\\b");
    }
  }

  /** The pools whose threads {@code shutdownNow} interrupts: each is created by the same class. */
  @Test
  void interruptsOnlyPoolsOfItsOwn() {
    Set<String> interrupting = callers(ExecutorService.class, "shutdownNow");
    assertThat(interrupting).isNotEmpty();
    Set<String> creating = new HashSet<>(callers(Executors.class, "new.*Pool"));
    MAIN.stream()
        .filter(
            type ->
                type.getConstructorCallsFromSelf().stream()
                    .anyMatch(
                        call -> call.getTarget().getOwner().isAssignableTo(ExecutorService.class)))
        .forEach(type -> creating.add(type.getName()));
    assertThat(creating).containsAll(interrupting);
  }

  private static Set<String> callers(Class<?> owner, String name) {
    return MAIN.stream()
        .filter(
            type ->
                type.getMethodCallsFromSelf().stream()
                    .anyMatch(
                        call ->
                            call.getTarget().getOwner().isAssignableTo(owner)
                                && call.getName().matches(name)))
        .map(JavaClass::getName)
        .collect(Collectors.toSet());
  }

  @Test
  void logsWithTheOldestLoggerOfAnyWorker() {
    check(
        noClasses()
            .should()
            .dependOnClassesThat()
            .resideInAnyPackage("org.slf4j.event..", "org.slf4j.spi..")
            .because("workers before 4.0 have SLF4J 1.7, without a fluent interface"));
  }

  @Test
  void noClassIsNamedHelperOrUtil() {
    check(
        noClasses()
            .should()
            .haveNameMatching(".*(Utils?|Helper|Manager|Impl)")
            .because("a name states a purpose"));
  }

  @Test
  void rulesSeeClasses() {
    assertThat(MAIN).isNotEmpty();
  }

  /** Classes with a {@code main} of their own are commands for the terminal. */
  private static DescribedPredicate<JavaClass> doNotPrintForALiving() {
    return DescribedPredicate.describe(
        "are no command", type -> type.tryGetMethod("main", String[].class).isEmpty());
  }

  private static String packages(String room) {
    return ROOT + "." + room + "..";
  }

  /** A room that is still empty breaks no law. */
  private static void check(ArchRule rule) {
    rule.allowEmptyShould(true).check(MAIN);
  }
}
