package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.json.Row;
import io.posconnect.resource.Key;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.AuditedKeys.Place;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class AuditedKeysTest {

  private static final Key KEY = Key.of(1);
  private static final Row ROW = Row.parse("{}");
  private static final Set<Outcome> OPEN =
      EnumSet.of(
          Outcome.DIFFERENT, Outcome.UNDECIDED, Outcome.PHANTOM, Outcome.MISSING, Outcome.REMOVED);
  private final AuditedKeys keys = new AuditedKeys(10, Outcome.MISSING);

  /**
   * What comes under the key, in this order: a number behind t is a content in the topic, numbers
   * behind s are those that a round of the service shows; x is a delete in the topic, b a round
   * with a broken row, p a round of a part of the list; T is another partition, r a round whose
   * rows may have been removed.
   */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          equal content is settled at once                         | t1 s1     | EQUAL
          what the connector publishes meanwhile is no difference  | t1 s2 t2  | EQUAL
          content that stays unequal is different                  | t1 s2 s2  | DIFFERENT
          a row that changes each time is undecided                | t1 s2 s3 t4 s5 | UNDECIDED
          a row that one list lacks is no phantom                  | t1 s s1   | EQUAL
          a row that no list has is a phantom                      | t1 s s    | PHANTOM
          a delete of the connector settles a phantom              | t1 s x    | IGNORED
          a row that the topic lacks is missing                    | s1 s2     | MISSING
          one of several rows under the key is enough              | t2 s1,2,3 | EQUAL
          a row that cannot be an event is not compared            | t1 b      | BROKEN
          a key that came during the audit is ignored              | s t1 s    | IGNORED
          a part of the list proves no phantom                     | t1 p      | IGNORED
          no key is kept that was deleted before                   | t1 x s    |
          a key in two partitions is scattered                     | t1 T1 s1  | SCATTERED
          so is one of which one partition has only the delete     | x T1 s1   | SCATTERED
          whichever partition comes first                          | T1 x s1   | SCATTERED
          a row that may have been removed is not missing          | r1 r1     | REMOVED
          one that was changed since is                            | r1 s1     | MISSING
          """)
  void comparesWhatTopicAndServiceHave(String claim, String contents, Outcome outcome) {
    for (String step : contents.split(" ", -1)) {
      apply(step);
    }

    assertThat(keys.counts()).as(claim).isEqualTo(outcome == null ? Map.of() : Map.of(outcome, 1L));
    assertThat(keys.areSettled()).as(claim).isNotEqualTo(OPEN.contains(outcome));
    assertThat(keys.areUndecided()).as(claim).isEqualTo(outcome == Outcome.UNDECIDED);
    if (outcome == Outcome.DIFFERENT) {
      assertThat(keys.row(KEY)).contains(ROW);
      assertThat(keys.place(KEY)).isEqualTo(new Place(0, 17));
    }
  }

  /** It would take the place of a row that differs: only a few are kept. */
  @Test
  void keepsNoRowOfKeyOfWhichAnotherRowIsEqual() {
    List.of("t2", "s1,2").forEach(this::apply);
    assertThat(keys.row(KEY)).isEmpty();
  }

  private void apply(String step) {
    long[] contents =
        Stream.of(step.substring(1).split(",", -1))
            .filter(text -> !text.isEmpty())
            .mapToLong(Long::parseLong)
            .toArray();
    switch (step.charAt(0)) {
      case 't' -> keys.published(KEY, contents[0], new Place(0, 17));
      case 'T' -> keys.published(KEY, contents[0], new Place(1, 3));
      case 'x' -> keys.deleted(KEY, new Place(0, 18));
      default -> {
        keys.roundBegins();
        for (long content : contents) {
          keys.shown(KEY, content, ROW, step.startsWith("r"));
        }
        if (step.equals("b")) {
          keys.broken(KEY);
        }
        keys.roundEnds(!step.equals("p"));
      }
    }
  }
}
