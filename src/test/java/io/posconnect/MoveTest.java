package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.posconnect.DrivenTask.Event;
import io.posconnect.offset.StreamMemory;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * The offsets of a connector, as Connect prints them, move a location to another connector and
 * back. Anything but the whole memory of a stream is refused by name.
 */
class MoveTest {

  private static final String RESOURCE = "inventory";
  private static final String TOPIC = "chain.inventory";
  private static final String MOVED = "store001";
  private static final int ROWS = 700;
  private static final ObjectMapper JSON = new ObjectMapper();

  // Refusals need no service, so all of them are shown with one memory.
  private static Map<Map<String, ?>, Map<String, ?>> known = Map.of();

  @AutoClose
  private final Simulator service = Simulator.builder().unlimited().withoutHistory().start();

  private final Chain chain = Chain.of(service, 3);
  private final Table inventory = chain.location(MOVED).inventory();
  @AutoClose private final DrivenRuns runs = new DrivenRuns();

  @BeforeEach
  void fill() {
    chain
        .locations()
        .forEach(name -> chain.location(name).inventory().generate(name.equals(MOVED) ? ROWS : 9));
  }

  private Map<String, String> settings(Chain of) {
    Map<String, String> settings = of.settings(20, RESOURCE);
    settings.put("checkpoint.interval.ms", "0");
    return settings;
  }

  /** The settings of a connector of that location alone. */
  private Map<String, String> alone() {
    return settings(new Chain(service, List.of(MOVED)));
  }

  /** A chain without a past that has read everything, and was stopped. */
  private DrivenTask stopped() {
    DrivenTask run = runs.start(settings(chain), Map.of());
    run.until("all rows", () -> run.events().size() >= ROWS + 18);
    run.snapshots(3);
    run.fetches(9);
    run.close();
    return run;
  }

  private Map<Map<String, ?>, Map<String, ?>> known() {
    if (known.isEmpty()) {
      known = Map.copyOf(printed(stopped().offsets()));
    }
    return known;
  }

  /** The memory of the moved location, sent through JSON as Connect's REST interface does. */
  private static Map<Map<String, ?>, Map<String, ?>> printed(
      Map<Map<String, ?>, Map<String, Object>> offsets) {
    Map<Map<String, ?>, Map<String, ?>> printed = new HashMap<>();
    offsets.forEach(
        (partition, offset) -> {
          if (partition.get("stream").toString().startsWith(MOVED + "/")) {
            printed.put(Map.copyOf(partition), throughJson(offset));
          }
        });
    return printed;
  }

  @SuppressWarnings("unchecked")
  private static Map<String, Object> throughJson(Map<String, ?> offset) {
    return Io.unchecked(() -> JSON.readValue(JSON.writeValueAsString(offset), Map.class));
  }

  /** As the tool prints it. */
  private static Map<Map<String, ?>, Map<String, ?>> sealed(
      Map<Map<String, ?>, Map<String, ?>> set) {
    return new HashMap<>(StreamMemory.of(set).iterator().next().sealed().offsets());
  }

  /** What is stored once a request was accepted: every whole number is a long again. */
  private static Map<Map<String, ?>, Map<String, Object>> patched(
      Map<String, String> settings,
      Map<? extends Map<String, ?>, Map<String, Object>> stored,
      Map<Map<String, ?>, Map<String, ?>> set) {
    assertThat(new PosSourceConnector().alterOffsets(settings, set)).isTrue();
    Map<Map<String, ?>, Map<String, Object>> all = new HashMap<>(stored);
    set.forEach(
        (partition, offset) -> {
          Map<String, Object> longs = new TreeMap<>(offset);
          longs.replaceAll(
              (name, value) -> value instanceof Integer i ? (Object) i.longValue() : value);
          all.put(partition, longs);
        });
    return all;
  }

  /** Changes, deletes and creates a row; returns the events that are due. */
  private List<Event> gap(int row) {
    long changed = inventory.ids().get(row);
    long deleted = inventory.ids().get(row + 1);
    int revision = inventory.update(changed);
    inventory.delete(deleted);
    long created = inventory.create();
    return List.of(
        new Event(changed, "u", revision), new Event(created, "c", 1), new Event(deleted, "d", 0));
  }

  private static void expect(DrivenTask run, List<Event> expected) {
    run.until("the gap", () -> run.events().size() >= expected.size());
    run.fetches(9);
    assertThat(run.events()).containsExactlyInAnyOrderElementsOf(expected);
    run.close();
  }

  @Test
  void movedLocationEmitsOnlyTheGapAndSoItDoesOnItsWayBack() {
    DrivenTask first = stopped();
    Map<Map<String, ?>, Map<String, Object>> chained = first.offsets();
    long seq = lastSeq(first, MOVED);
    List<Event> gap = gap(3);
    DrivenTask away = runs.start(alone(), patched(alone(), Map.of(), sealed(printed(chained))));
    expect(away, gap);
    assertThat(seqs(away, MOVED)).containsExactly(seq + 1, seq + 2, seq + 3);

    List<Event> second = gap(9);
    DrivenTask back =
        runs.start(settings(chain), patched(settings(chain), chained, printed(away.offsets())));
    expect(back, second);
    assertThat(seqs(back, MOVED)).containsExactly(seq + 4, seq + 5, seq + 6);
  }

  private static List<Long> seqs(DrivenTask run, String location) {
    return run.records(TOPIC).stream()
        .filter(record -> record.value() != null)
        .filter(record -> ((Struct) record.key()).getString("location").equals(location))
        .map(record -> ((Struct) record.value()).getStruct("source").getInt64("seq"))
        .toList();
  }

  private static long lastSeq(DrivenTask run, String location) {
    return seqs(run, location).stream().mapToLong(Long::longValue).max().orElseThrow();
  }

  @Test
  void refusesWhatIsNotWhole() {
    Map<Map<String, ?>, Map<String, ?>> set = known();
    Map<Map<String, ?>, Map<String, ?>> sealed = sealed(set);
    assertThat(set).hasSizeGreaterThan(4);

    for (Map<String, ?> partition : set.keySet()) {
      boolean position = partition.get("stream").equals(MOVED + "/" + RESOURCE);
      assertRefused(alone(), without(set, partition), position ? "POS-604" : "POS-613");
      assertRefused(alone(), without(sealed, partition), position ? "POS-604" : "POS-613");
    }
    set.keySet().forEach(p -> assertRefused(alone(), Map.of(p, set.get(p)), "POS-6"));
  }

  @Test
  void refusesAFlippedBitWhereverItIs() {
    Map<Map<String, ?>, Map<String, ?>> set = known();
    Map<Map<String, ?>, Map<String, ?>> sealed = sealed(set);

    sealed.forEach(
        (partition, offset) ->
            offset.forEach(
                (field, value) -> {
                  for (int bit = 0; bit < 7; bit++) {
                    String why = partition + " " + field + " bit " + bit;
                    Map<Map<String, ?>, Map<String, ?>> flipped =
                        with(sealed, partition, field, flipped(value, bit));
                    assertRefused(alone(), flipped, "POS-6", why);
                    if (set.get(partition).containsKey(field)
                        && !List.of("list", "ignored").contains(field)) {
                      flipped = with(set, partition, field, flipped(value, bit));
                      assertRefused(alone(), flipped, "POS-6", why);
                    }
                  }
                }));
  }

  private static Object flipped(Object value, int bit) {
    if (value instanceof Number number) {
      return number.longValue() ^ 1L << bit;
    }
    StringBuilder text = new StringBuilder(value.toString());
    if (text.isEmpty()) {
      return Character.toString('a' + bit);
    }
    int place = text.length() * 2 / 3;
    text.setCharAt(place, (char) (text.charAt(place) ^ 1 << bit));
    return text.toString();
  }

  /** Changes every row twice, so that slots are used again, and stops. */
  private void turnOver(DrivenTask run) {
    for (int round = 1; round <= 4; round++) {
      int changes = run.events().size() + ROWS;
      inventory.ids().forEach(inventory::update);
      run.until("all changes", () -> run.events().size() >= changes);
    }
    run.fetches(9);
    run.close();
  }

  @Test
  void refusesTwoSetsThatAreMixed() {
    Map<Map<String, ?>, Map<String, ?>> early = printed(stopped().offsets());
    DrivenTask later = runs.start(alone(), patched(alone(), Map.of(), early));
    turnOver(later);
    Map<Map<String, ?>, Map<String, ?>> late = printed(later.offsets());
    new PosSourceConnector().alterOffsets(alone(), late);

    int mixed = 0;
    for (Map<String, ?> partition : early.keySet()) {
      if (!early.get(partition).equals(late.get(partition))) {
        Map<Map<String, ?>, Map<String, ?>> set = new HashMap<>(sealed(late));
        set.put(partition, sealed(early).get(partition));
        assertRefused(alone(), set, "POS-613");
        mixed++;
      }
    }
    assertThat(mixed).isGreaterThan(1);
  }

  /** A setting of the new connector, its value, and what the refusal names. */
  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          topic.prefix; other; chain.inventory
          snapshot.id; june; june
          resources.inventory.snapshot.id; june; june
          resources.inventory.ignore.fields; name; name
          schema.namespace; com.example; com.example
          resources.inventory.path; /v2/inventory; /v2/inventory
          resources.inventory.parameters; IncludeDetail=true; IncludeDetail
          """)
  void refusesMemoryOfOtherSettings(String setting, String value, String named) {
    Map<String, String> other = alone();
    other.put(setting, value);

    assertRefused(other, known(), "POS-613", named);
  }

  @Test
  void refusesMemoryUnderAnotherName() {
    Map<Map<String, ?>, Map<String, ?>> renamed = new HashMap<>();
    known()
        .forEach(
            (partition, offset) ->
                renamed.put(
                    Map.of("stream", partition.get("stream").toString().replace(MOVED, "store002")),
                    offset));

    assertRefused(settings(chain), renamed, "POS-613", "store002/inventory");
    assertRefused(alone(), renamed, "POS-604", "no such stream");
  }

  /** What is stored already cannot be seen when offsets are altered. */
  @Test
  void mixtureWithAnotherMemoryIsFoundAtTheStart() {
    Map<Map<String, ?>, Map<String, ?>> set = printed(stopped().offsets());
    DrivenTask own = runs.start(alone(), Map.of());
    own.until("all rows", () -> own.events().size() >= ROWS);
    turnOver(own);
    try (TaskLog log = TaskLog.listen()) {
      DrivenTask mixed = runs.start(alone(), patched(alone(), own.offsets(), set));
      mixed.until("once more", () -> mixed.events().size() >= ROWS);
      mixed.fetches(9);

      assertThat(mixed.events()).hasSize(ROWS).extracting(Event::op).containsOnly("r");
      assertThat(log.lines())
          .singleElement()
          .satisfies(line -> assertThat(line).startsWith("ERROR POS-602 store001/inventory: "));
    }
  }

  @Test
  void setThatIsStoredTwiceRepeatsNothing() {
    Map<Map<String, ?>, Map<String, ?>> set = printed(stopped().offsets());
    List<Event> gap = gap(5);
    DrivenTask once = runs.start(alone(), patched(alone(), patched(alone(), Map.of(), set), set));

    expect(once, gap);
  }

  private static Map<Map<String, ?>, Map<String, ?>> without(
      Map<Map<String, ?>, Map<String, ?>> set, Map<String, ?> partition) {
    Map<Map<String, ?>, Map<String, ?>> rest = new HashMap<>(set);
    rest.remove(partition);
    return rest;
  }

  private static Map<Map<String, ?>, Map<String, ?>> with(
      Map<Map<String, ?>, Map<String, ?>> set,
      Map<String, ?> partition,
      String field,
      Object value) {
    Map<Map<String, ?>, Map<String, ?>> changed = new HashMap<>(set);
    Map<String, Object> offset = new TreeMap<>(set.get(partition));
    offset.put(field, value);
    changed.put(partition, offset);
    return changed;
  }

  private static void assertRefused(
      Map<String, String> settings, Map<Map<String, ?>, Map<String, ?>> set, String code) {
    assertRefused(settings, set, code, "");
  }

  private static void assertRefused(
      Map<String, String> settings,
      Map<Map<String, ?>, Map<String, ?>> set,
      String code,
      String named) {
    assertThatExceptionOfType(ConnectException.class)
        .as(named)
        .isThrownBy(() -> new PosSourceConnector().alterOffsets(settings, set))
        .withMessageStartingWith(code)
        .satisfies(
            refusal -> {
              Messages.assertExplained(refusal.getMessage());
              if (!named.contains(" bit ")) {
                assertThat(refusal).hasMessageContaining(named);
              }
            });
  }
}
