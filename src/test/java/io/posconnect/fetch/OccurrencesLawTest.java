package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.fetch.Oracle.Violation;
import io.posconnect.fetch.Setup.Style;
import io.posconnect.resource.Request;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.StreamSettings.RowErrors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Where several rows have one key, the topic comes to have as many of each content as the service,
 * whatever the order of the rows, and whenever a process stops.
 */
@ExtendWith(Quiet.class)
class OccurrencesLawTest {

  private static final int HISTORIES = Integer.getInteger("law.histories", 100);
  private static final long FIRST = Long.getLong("law.seed", 1);

  private static final List<String> CONTENTS = List.of("a", "b", "c");
  private static final String TOO_LARGE = "x".repeat(300);

  // A row whose key is of another type, and one that is no JSON.
  private static final String NO_KEY = "no key";
  private static final String NOT_JSON = "no JSON";
  private static final List<String> BROKEN = List.of(TOO_LARGE, TOO_LARGE, NO_KEY, NOT_JSON);
  private static final int KEYS = 3;

  // So many rows that an empty list is not believed.
  private static final int MANY = 35;
  private static final int ENOUGH_TO_LIE = 26;

  @ParameterizedTest
  @EnumSource(names = {"FULL", "PAGES", "CURSOR"})
  void holds(Style style) {
    History.hold(LongStream.range(FIRST, FIRST + HISTORIES), new OccurrencesLaw(style));
  }

  /** Beyond 64 rows of one key the place decides which of them a row is. */
  @Test
  void deletesOneOfManyRowsOfKeyOnce() {
    List<String> rows = new ArrayList<>();
    IntStream.range(0, 70).forEach(i -> rows.add(DrivenStream.row(1, "c" + i)));
    DrivenStream stream = DrivenStream.list(() -> rows).withOccurrences().start().requests(4);
    stream.events().clear();
    rows.remove(0);
    assertThat(stream.requests(8).events()).containsExactly("d1");
    stream.events().clear();
    stream.comparesAs("other fields").restart().requests(4);
    assertThat(stream.events()).hasSize(69).allMatch(event -> event.startsWith("r1"));
  }

  /** As rows of one key come and go, more of its numbers are given than are compared. */
  @Test
  void givesFreeNumbersToNewRows() {
    List<String> rows = new ArrayList<>();
    DrivenStream stream = DrivenStream.list(() -> rows).withOccurrences().start();
    for (int i = 0; i < 75; i++) {
      rows.add(0, DrivenStream.row(1, "c" + i));
      stream.requests(3);
      rows.subList(Math.min(45, rows.size()), rows.size()).clear();
      stream.requests(2);
    }
    assertThat(stream.events()).hasSize(75 + 30);
  }

  /** Also of a row that cannot become an event: its key is there. */
  @Test
  void updatesOneOfRowsThatWholeListShows() {
    List<String> rows =
        new ArrayList<>(List.of(DrivenStream.row(1, "a"), DrivenStream.row(1, "b")));
    DrivenStream stream =
        DrivenStream.list(() -> rows).withOccurrences().eventsOfAtMost(300).start().requests(4);
    stream.events().clear();
    rows.set(0, DrivenStream.row(1, TOO_LARGE));
    assertThat(stream.requests(3).events()).isEmpty();
    rows.set(0, DrivenStream.row(1, "c"));
    assertThat(stream.requests(1).events()).containsExactly("u1c");
    assertThat(stream.requests(3).events()).hasSize(1);
  }

  /** The damaged one may be any row of its key. */
  @ParameterizedTest
  @ValueSource(ints = {0, 1})
  void emitsNothingOfRowBesideOneThatIsDamagedOnce(int place) {
    List<String> rows = new ArrayList<>(List.of(DrivenStream.row(1, "a")));
    DrivenStream stream =
        DrivenStream.list(() -> List.copyOf(rows)).withOccurrences().start().requests(3);
    rows.set(0, DrivenStream.row(1, "" + RowText.BAD_BYTE));
    rows.add(1 - place, DrivenStream.row(1, "b"));
    stream.requests(1);
    rows.set(place, DrivenStream.row(1, "a"));
    assertThat(stream.requests(4).events()).containsExactly("r1a", "c1b");
  }

  /** The lost part knew the first numbers; no row went, and a stop interrupts the repair. */
  @ParameterizedTest
  @EnumSource(names = {"FULL", "PAGES", "CURSOR"})
  void numbersRowsAsBeforeWhenPartOfDigestIsLost(Style style) {
    List<String> rows = new ArrayList<>(DrivenStream.rows(0, 2));
    Set<Object> topic = new HashSet<>();
    DrivenStream stream =
        new DrivenStream(style.retrieval(), request -> Answer.page(request, rows)) {
          @Override
          void note(SourceRecord sent) {
            super.note(sent);
            if (sent.topic().equals("pos.things") && Things.isEvent(sent)) {
              Object number = ((Struct) sent.key()).get("occurrence");
              if (Things.after(sent) == null) {
                topic.remove(number);
              } else {
                topic.add(number);
              }
            }
          }
        };
    rows.add(1, DrivenStream.row(1, "b"));
    stream.withOccurrences().start().requests(4);
    stream.restart().requests(2);
    rows.add(DrivenStream.row(1, "a"));
    stream.requests(6);
    assertThat(topic).containsExactlyInAnyOrder(1, 2, 3);
    stream.events().clear();
    stream.hold();
    stream.loses(0).restart().requests(1).stop(2);
    stream.restart().requests(8);
    assertThat(stream.events()).containsExactlyInAnyOrder("r0a", "r1a", "r1a", "r1b");
    assertThat(topic).containsExactlyInAnyOrder(1, 2, 3);
  }

  /** Returns how the first of so many histories breaks the law, from that seed on; or null. */
  static String broken(String style, long from, int histories) {
    return History.broken(from, histories, new OccurrencesLaw(Style.valueOf(style)));
  }

  private record OccurrencesLaw(Style style) implements History.Law {
    @Override
    public int shortest() {
      return 5;
    }

    @Override
    public int longest() {
      return 40;
    }

    @Override
    public History.Life begin(long seed, List<String> trace) {
      return new Life(style, new SplittableRandom(seed), trace);
    }

    @Override
    public String describe(long seed) {
      return style.toString();
    }
  }

  private record Item(int id, String content) {}

  private static final class Life implements History.Life {

    private final List<String> trace;
    private final List<Item> items = new ArrayList<>();
    private final Map<String, Item> topic = new HashMap<>();

    // What a new snapshot emits once more, and how many there were.
    private final Set<String> again = new HashSet<>();
    private int snapshots;
    private final Retrieval retrieval;
    private final DrivenStream stream;
    private SplittableRandom random;
    private List<Item> shown = List.of();
    private int events;
    private int breaksAt = -1;

    private final boolean breaks;
    private final boolean lies;
    private boolean liesNext;
    private boolean isEmpty;
    private final boolean skips;
    private boolean damagesNext;

    // Whether the last answer that came to its end had a row that is no JSON.
    private boolean wasBroken;

    // So many passes began since a row was damaged on its way: never two reads of it in a row.
    private int passesSinceDamage;
    private boolean reorders;
    private boolean stops;

    Life(Style style, SplittableRandom random, List<String> trace) {
      this.trace = trace;
      this.random = random;
      retrieval = style.retrieval();
      SplittableRandom setup = random.split();
      breaks = setup.nextInt(3) == 0;
      lies = setup.nextInt(6) == 0;
      for (int i = lies ? MANY : 0; i > 0; i--) {
        items.add(new Item(1 + setup.nextInt(KEYS), content(setup)));
      }
      stream =
          new DrivenStream(retrieval, this::answer) {
            @Override
            void note(SourceRecord sent) {
              super.note(sent);
              if (sent.topic().equals("pos.things") && Things.isEvent(sent)) {
                event(sent);
              }
            }
          };
      skips = setup.nextInt(4) == 0;
      stream.withOccurrences().eventsOfAtMost(300).start();
    }

    private Answer answer(Request request) {
      if (Answer.beginsList(request)) {
        isEmpty = liesNext && topic.size() >= ENOUGH_TO_LIE;
        liesNext = false;
        passesSinceDamage++;
        if (reorders) {
          shuffle();
        }
      }
      List<String> rows = new ArrayList<>(items.stream().map(Life::text).toList());
      // A row that is no JSON in each read is believed, however else it is damaged.
      boolean isBroken = items.toString().contains(NOT_JSON);
      boolean anyBroken = wasBroken || isBroken;
      if (damagesNext && passesSinceDamage > 2 && !anyBroken && !rows.isEmpty()) {
        damagesNext = false;
        passesSinceDamage = 0;
        int at = random.nextInt(rows.size());
        String content = random.nextBoolean() ? NOT_JSON : "d" + RowText.BAD_BYTE;
        rows.set(at, text(new Item(items.get(at).id(), content)));
      }
      shown = List.copyOf(items);
      Answer whole = Answer.page(request, isEmpty ? List.of() : rows);
      Answer answer = whole;
      if (breaksAt >= 0 && breaksAt < whole.rows().size()) {
        answer = Answer.of(whole.rows().subList(0, breaksAt)).breakingOff();
      }
      wasBroken = answer.broken() ? wasBroken : isBroken;
      breaksAt = -1;
      say(request.query() + (answer.broken() ? " breaks off " : " ") + answer.rows());
      return answer;
    }

    private static String text(Item item) {
      String row = DrivenStream.row(item.id(), item.content());
      return switch (item.content()) {
        case NO_KEY -> row.replace(":" + item.id(), ":\"no " + item.id() + "\"");
        case NOT_JSON -> row.replace("\"no JSON\"", "~");
        default -> row;
      };
    }

    private void event(SourceRecord sent) {
      Struct key = (Struct) sent.key();
      String name = key.getInt64("id") + "#" + key.get("occurrence");
      Struct after = Things.after(sent);
      Item item =
          after == null
              ? null
              : new Item(Math.toIntExact(key.getInt64("id")), after.getString("c"));
      say("  " + name + " " + item);
      Item before = item == null ? topic.remove(name) : topic.put(name, item);
      boolean comesAgain = again.remove(name) && item != null;
      if (Objects.equals(item, before) && !comesAgain) {
        throw new Violation("repeated: " + name + " is " + before + " already");
      }
      // What waits at a stop is of an earlier list, and pages may lack a row that shifts.
      boolean removes = before != null && !comesAgain && !stops && !retrieval.shifting();
      if (removes && count(topic.values(), before) < count(shown, before)) {
        throw new Violation(name + " was " + before + ", which the list shows");
      }
      if (removes
          && item == null
          && count(topic.values(), before.id()) < count(shown, before.id())) {
        throw new Violation(name + " was " + before + ", and the list has as many rows of its key");
      }
      if (item == null && isEmpty) {
        throw new Violation(name + " is deleted by one empty list");
      }
      events++;
    }

    @Override
    public void step(SplittableRandom choices) {
      random = choices;
      switch (random.nextInt(8)) {
        case 0, 1, 2 -> stream.requests(1 + random.nextInt(3));
        case 3, 4 -> change(1 + random.nextInt(2));
        case 5 -> {
          shuffle();
          if (lies && random.nextInt(3) == 0) {
            liesNext = true;
            stream.requests(3);
            liesNext = false;
          }
        }
        case 6 -> breaksAt = random.nextInt(4);
        default -> stop();
      }
      damagesNext |= breaks && random.nextInt(6) == 0;
    }

    private void change(int rows) {
      for (int i = 0; i < rows; i++) {
        String content = content(random);
        int at = random.nextInt(items.size() + 1);
        if (items.isEmpty() || random.nextInt(3) == 0) {
          items.add(at, new Item(1 + random.nextInt(KEYS), content));
        } else if (random.nextBoolean()) {
          items.remove(at % items.size());
        } else {
          items.set(at % items.size(), new Item(items.get(at % items.size()).id(), content));
        }
      }
      say("the service has " + items);
    }

    private String content(SplittableRandom choices) {
      String content = CONTENTS.get(choices.nextInt(CONTENTS.size()));
      return breaks && choices.nextInt(4) == 0
          ? BROKEN.get(choices.nextInt(BROKEN.size()))
          : content;
    }

    private void shuffle() {
      Collections.shuffle(items, new Random(random.nextLong()));
      say("in another order: " + items);
    }

    /** Of what waits a part is committed; then another process begins. */
    private void stop() {
      stops = true;
      stream.hold();
      stream.requests(random.nextInt(3));
      int most = random.nextInt(8);
      say("stops");
      stream.stop(most);
      stream.rowErrors(skips && random.nextBoolean() ? RowErrors.SKIP : RowErrors.DEAD_LETTER);
      if (random.nextInt(4) == 0) {
        comparesOtherFields();
      }
      stream.restart();
      stops = false;
    }

    private void comparesOtherFields() {
      say("other fields are compared");
      stream.comparesAs("fields" + snapshots++);
      again.addAll(topic.keySet());
    }

    @Override
    public void settle() {
      say("all is calm");
      breaksAt = -1;
      damagesNext = false;
      // Where many rows went lately, deletes were held.
      stream.passes(lies ? Duration.ofMinutes(25) : Duration.ZERO);
      comesRight();
      if (breaks) {
        isQuiet();
        items.replaceAll(item -> isGood(item) ? item : new Item(item.id(), "a"));
        comesRight();
      }
      reorders = true;
      boolean equal =
          items.stream().allMatch(item -> count(topic.values(), item) == count(items, item));
      if (!equal || topic.size() != items.size()) {
        throw new Violation("the topic ends with " + topic + ", the service with " + items);
      }
      isQuiet();
      Set<String> numbers = Set.copyOf(topic.keySet());
      comparesOtherFields();
      stream.restart();
      comesRight();
      if (!topic.keySet().equals(numbers)) {
        throw new Violation("a new snapshot has " + topic.keySet() + ", before it " + numbers);
      }
    }

    /** Shows all rows as often as it takes: then each that can be an event is in the topic. */
    private void comesRight() {
      // The first ends what is under way, and each new number takes two.
      complete(retrieval.shifting() ? 6 : 4);
      for (Item item : items) {
        if (isGood(item) && count(topic.values(), item) < count(items, item)) {
          throw new Violation("the topic has " + topic + ", the service " + items);
        }
      }
    }

    private void isQuiet() {
      int before = events;
      complete(4);
      if (events > before) {
        throw new Violation("not quiet after calm: " + (events - before) + " more");
      }
    }

    private void complete(int passes) {
      stream.fetches(passes, 20 * passes);
    }

    private static boolean isGood(Item item) {
      return !BROKEN.contains(item.content());
    }

    private static long count(Collection<Item> items, int id) {
      return items.stream().filter(i -> i.id() == id && !i.content().equals(NO_KEY)).count();
    }

    private static int count(Collection<Item> items, Item item) {
      return Collections.frequency(items, item);
    }

    private void say(String what) {
      if (trace != null) {
        trace.add(what);
      }
    }
  }
}
