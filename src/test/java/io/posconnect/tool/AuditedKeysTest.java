package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.json.Row;
import io.posconnect.resource.Key;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.AuditedKeys.Place;
import java.util.Map;
import org.junit.jupiter.api.Test;

class AuditedKeysTest {

  private static final Key KEY = Key.of(1);
  private static final Row ROW = Row.parse("{}");
  private final AuditedKeys keys = new AuditedKeys(10);

  private void topic(long content) {
    keys.published(KEY, content, new Place(0, 17));
  }

  /** One round, in which the service shows these contents under the key. */
  private void service(long... contents) {
    keys.roundBegins();
    for (long content : contents) {
      keys.shown(KEY, content, ROW);
    }
    keys.roundEnds(true);
  }

  private void assertOutcome(Outcome outcome) {
    assertThat(keys.counts()).isEqualTo(Map.of(outcome, 1L));
  }

  @Test
  void equalContentIsSettledAtOnce() {
    topic(1);
    service(1);

    assertThat(keys.areSettled()).isTrue();
    assertOutcome(Outcome.EQUAL);
  }

  @Test
  void whatTheConnectorPublishesMeanwhileIsNoDifference() {
    topic(1);
    service(2);
    topic(2);

    assertThat(keys.areSettled()).isTrue();
    assertOutcome(Outcome.EQUAL);
  }

  @Test
  void contentThatStaysUnequalIsDifferent() {
    topic(1);
    service(2);
    service(2);

    assertOutcome(Outcome.DIFFERENT);
    assertThat(keys.row(KEY)).contains(ROW);
    assertThat(keys.place(KEY)).isEqualTo(new Place(0, 17));
  }

  @Test
  void rowThatChangesEachTimeIsUndecided() {
    topic(1);
    service(2);
    service(3);
    assertThat(keys.areUndecided()).isTrue();
    topic(4);
    service(5);

    assertOutcome(Outcome.UNDECIDED);
  }

  @Test
  void rowThatOneListLacksIsNoPhantom() {
    topic(1);
    service();
    service(1);

    assertOutcome(Outcome.EQUAL);
  }

  @Test
  void rowThatNoListHasIsPhantom() {
    topic(1);
    service();
    service();

    assertOutcome(Outcome.PHANTOM);
  }

  @Test
  void deleteOfTheConnectorSettlesPhantom() {
    topic(1);
    service();
    keys.deleted(KEY);

    assertThat(keys.areSettled()).isTrue();
    assertOutcome(Outcome.IGNORED);
  }

  @Test
  void rowThatTheTopicLacksIsMissing() {
    service(1);
    service(2);

    assertOutcome(Outcome.MISSING);
  }

  @Test
  void oneOfSeveralRowsUnderTheKeyIsEnough() {
    topic(2);
    service(1, 2, 3);

    assertOutcome(Outcome.EQUAL);
  }

  @Test
  void rowThatCannotBeAnEventIsNotCompared() {
    topic(1);
    keys.roundBegins();
    keys.broken(KEY);
    keys.roundEnds(true);

    assertOutcome(Outcome.BROKEN);
  }

  @Test
  void keyThatCameDuringTheAuditIsIgnored() {
    service();
    topic(1);
    service();

    assertThat(keys.areSettled()).isTrue();
    assertOutcome(Outcome.IGNORED);
  }

  @Test
  void partOfTheListProvesNoPhantom() {
    topic(1);
    keys.roundBegins();
    keys.roundEnds(false);

    assertOutcome(Outcome.IGNORED);
  }

  @Test
  void keepsNoKeyThatWasDeletedBefore() {
    topic(1);
    keys.deleted(KEY);

    assertThat(keys.counts()).isEmpty();
  }
}
