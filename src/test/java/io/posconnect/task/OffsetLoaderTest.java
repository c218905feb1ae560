package io.posconnect.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Messages;
import io.posconnect.TaskLog;
import io.posconnect.change.Digest;
import io.posconnect.change.Digest.Segments;
import io.posconnect.offset.DigestScope;
import io.posconnect.offset.StoredStream;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamOffset.SnapshotState;
import io.posconnect.offset.StreamPartition;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import io.posconnect.task.OffsetLoader.Restart;
import io.posconnect.task.OffsetLoader.Wanted;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class OffsetLoaderTest {

  private static final Stream STREAM = new Stream("downtown", "products");
  private static final Instant WATERMARK = Instant.parse("2026-03-01T12:00:00Z");
  private static final Instant NOW = Instant.parse("2026-03-02T00:00:00Z");
  private static final long EPOCH = NOW.toEpochMilli();
  private static final String KEYS = "location,productId:int64";
  private static final String OTHER_KEYS = "location,sku:string";
  private static final DigestScope SCOPE =
      new DigestScope("pos.products", KEYS, "", "full /products", "");
  private static final DigestScope OTHER_SCOPE =
      new DigestScope("pos.products", OTHER_KEYS, "", "full /products", "");
  private static final int MANY = 600; // of about four segments
  private static final Key ONE = Key.of(1);
  private static final Key TWO = Key.of(2);

  private final TaskLog log = TaskLog.listen();
  private final StoredStream stored =
      new StoredStream(
          STREAM,
          StreamOffset.start("", SCOPE).withSeq(0, EPOCH),
          new Digest(Segments.DEFAULT, new SplittableRandom(1)));
  private InstantSource clock = InstantSource.fixed(NOW);
  private int processes;
  private boolean exactlyOnce = true;

  @AfterEach
  void close() {
    log.close();
  }

  private Restart restore(String snapshotId) {
    return restore(snapshotId, SCOPE);
  }

  private Restart restore(String snapshotId, DigestScope scope) {
    return restore(snapshotId, scope, 100);
  }

  private Restart restore(String snapshotId, DigestScope scope, int maxKeys) {
    return new OffsetLoader(stored, clock, Segments.DEFAULT, new SplittableRandom(++processes))
        .restore(List.of(new Wanted(STREAM, snapshotId, maxKeys, exactlyOnce, scope)))
        .get(STREAM);
  }

  /** Another process takes over and writes what comes next. */
  private Restart goOn(Restart restart) {
    stored.goOn(restart.offset(), restart.digest());
    return restart;
  }

  /** The stream has been read in full: keys 1 and 2. */
  private void fill() {
    stored.say(1, 3, 7);
    stored.checkpoint(WATERMARK);
  }

  private void lose(int slot) {
    stored.reset(StreamPartition.slot(STREAM, slot));
  }

  private void rewind() {
    stored.position(StreamOffset.rewoundTo(WATERMARK));
  }

  private void assertEverythingOnceMore(Restart restart, String snapshotId) {
    assertThat(restart.refusal()).isNull();
    assertThat(restart.offset().snapshotId()).isEqualTo(snapshotId);
    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.RUNNING);
    assertThat(restart.offset().watermark()).isEqualTo(Instant.MIN);
    assertThat(restart.offset().lastReconciliation()).isEqualTo(StreamOffset.NEVER);
  }

  private void assertOneWarning(String code, String... parts) {
    assertOneLine("WARN " + code, parts);
  }

  private void assertOneError(String code, String... parts) {
    assertOneLine("ERROR " + code, parts);
  }

  private void assertOneLine(String start, String... parts) {
    assertThat(log.lines())
        .singleElement()
        .satisfies(
            line -> assertThat(line).startsWith(start + " downtown/products: ").contains(parts))
        .satisfies(Messages::assertExplained);
  }

  @Test
  void aStreamThatIsNewBeginsANumberingOfItsEvents() {
    stored.offsets().clear();

    Restart restart = restore("june");

    assertEverythingOnceMore(restart, "june");
    assertThat(restart.offset()).isEqualTo(StreamOffset.start("june", SCOPE).withSeq(0, EPOCH));
    assertThat(restart.digest().size()).isZero();
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void goesOnWhereTheStreamLeftOff() {
    stored.say(0, MANY, 7);
    stored.checkpoint(WATERMARK);

    Restart restart = restore("");

    assertThat(restart.offset()).isEqualTo(stored.offset());
    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(restart.digest().size()).isEqualTo(MANY);
    assertThat(restart.digest().contains(Key.of(MANY - 1))).isTrue();
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void readsSlotsThatOnlyAnotherSlotNames() {
    stored.say(0, 20_000, 7); // in about a hundred, and no position knows of any

    assertThat(restore("").digest().size()).isEqualTo(20_000);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void answersALostSegmentWithEverythingOnceMore() {
    stored.say(0, MANY, 7);
    stored.checkpoint(WATERMARK);
    lose(1);

    Restart restart = restore("");

    assertEverythingOnceMore(restart, "#2");
    assertThat(restart.offset().seq()).as("nobody knows the last number").isZero();
    assertThat(restart.offset().epochMillis()).isEqualTo(EPOCH + 1);
    assertThat(restart.digest().contains(ONE)).isFalse();
    assertThat(restart.digest().size()).as("still serves to find deletes").isBetween(300, MANY);
    assertOneError("POS-602", "absent or too short", "everything is emitted once more");
  }

  @Test
  void answersADamagedSegmentWithEverythingOnceMore() {
    fill();
    stored.put(StreamPartition.slot(STREAM, 0), Map.of("digest", "AQAA"));

    Restart restart = restore("");

    assertEverythingOnceMore(restart, "#2");
    assertThat(restart.digest().size()).isZero();
    assertOneError("POS-602", "slot 0: it is truncated");
  }

  @Test
  void aDamagedSlotIsWrittenToFirstSoThatItsLossIsToldOnce() {
    stored.say(0, MANY, 7);
    stored.checkpoint(WATERMARK);
    stored.put(StreamPartition.slot(STREAM, 9), Map.of("digest", "AQAA"));
    goOn(restore(""));
    stored.say(ONE, 7);

    assertThat(restore("").offset().snapshotId()).isEqualTo("#2");
    assertThat(restore("").digest().contains(ONE)).as("was emitted again").isTrue();
  }

  @Test
  void withoutAPositionADamagedSegmentIsALossToo() {
    fill();
    stored.reset(StreamPartition.position(STREAM));
    stored.put(StreamPartition.slot(STREAM, 0), Map.of("digest", "AQAA"));

    assertEverythingOnceMore(restore(""), "#2");
    assertOneError("POS-602", "slot 0: it is truncated");
  }

  @Test
  void aLossIsAnsweredOnceAndACrashRightAfterItLosesNothing() {
    stored.say(0, MANY, 7);
    stored.checkpoint(WATERMARK);
    lose(1);
    assertThat(restore("").offset().snapshotId()).isEqualTo("#2");
    assertThat(goOn(restore("")).offset().snapshotId())
        .as("nothing was written meanwhile")
        .isEqualTo("#2");
    int warnings = log.lines().size();
    stored.say(ONE, 7);

    Restart restart = goOn(restore(""));
    assertThat(restart.offset().snapshotId()).isEqualTo("#2");
    assertThat(restart.offset().seq()).isEqualTo(1);
    assertThat(restart.digest().contains(ONE)).isTrue();
    stored.say(0, MANY, 7);
    assertThat(goOn(restore("")).offset().snapshotId()).isEqualTo("#2");
    stored.checkpoint(WATERMARK);
    assertThat(restore("").offset()).isEqualTo(stored.offset());
    assertThat(log.lines()).hasSize(warnings);
  }

  @Test
  void aDamageIsAnsweredOnceAndACrashRightAfterItLosesNothing() {
    fill();
    stored.put(StreamPartition.slot(STREAM, 0), Map.of("digest", "AQAA"));
    goOn(restore(""));
    int warnings = log.lines().size();
    stored.say(ONE, 8);

    assertThat(restore("").offset().snapshotId()).isEqualTo("#2");
    assertThat(log.lines()).hasSize(warnings);
  }

  @Test
  void goesOnEmittingEverythingWhenThatWasInterrupted() {
    fill();
    goOn(restore("june"));
    stored.say(ONE, 7);
    assertThat(log.lines()).hasSize(1);

    Restart restart = restore("june");

    assertEverythingOnceMore(restart, "june#2");
    assertThat(restart.digest().contains(ONE)).as("was emitted again").isTrue();
    assertThat(restart.digest().contains(TWO)).as("is to be emitted again").isFalse();
    assertThat(restart.digest().holds(TWO)).isTrue();
    assertThat(restart.offset().seq()).isEqualTo(3);
    assertThat(log.lines()).as("was told once").hasSize(1);
  }

  @Test
  void aNewNameOfTheSnapshotEmitsEverythingWhateverWasInterrupted() {
    fill();
    goOn(restore("june"));
    stored.say(ONE, 7);

    Restart restart = restore("july");

    assertEverythingOnceMore(restart, "july#3");
    assertThat(restart.digest().contains(ONE)).isFalse();
    assertThat(restart.digest().size()).isEqualTo(2);
  }

  @Test
  void aNewNameOfTheSnapshotEmitsEverythingInTheSameNumbering() {
    fill();

    Restart restart = restore("june");

    assertEverythingOnceMore(restart, "june#2");
    assertThat(restart.digest().contains(ONE)).isFalse();
    assertThat(restart.digest().size()).as("still serves to find deletes").isEqualTo(2);
    assertThat(restart.offset().seq()).isEqualTo(2);
    assertThat(restart.offset().epochMillis()).isEqualTo(EPOCH);
    assertOneWarning("POS-606", "snapshot.id is \"june\" now");
  }

  @Test
  void anEarlierNameOfTheSnapshotIsAnotherSnapshot() {
    fill();
    goOn(restore("june"));
    stored.say(ONE, 7);
    stored.checkpoint(WATERMARK);

    Restart restart = goOn(restore(""));
    assertEverythingOnceMore(restart, "#3");
    assertThat(restart.digest().contains(TWO)).as("was said in the first").isFalse();
    stored.say(ONE, 7);
    assertThat(restore("").digest().contains(ONE)).isTrue();
  }

  @Test
  void otherKeysUnderTheSameSnapshotAreRefusedWithTheRemedies() {
    fill();

    Restart refused = restore("", OTHER_SCOPE);
    String refusal = refused.refusal();

    assertThat(refusal)
        .startsWith("POS-603 downtown/products: keys would be made of " + OTHER_KEYS)
        .contains("under keys of " + KEYS, "nothing is read or deleted")
        .contains("resources.products.key.fields (or its .occurrences,", "Restore the key fields")
        .contains("resources.products.snapshot.id was", "give snapshot.id a new value");
    Messages.assertExplained(refusal);
    assertThat(refused.offset()).as("nothing moves").isEqualTo(stored.offset());
    assertThat(restore("").refusal()).as("put back").isNull();
    assertThat(restore("").digest().contains(TWO)).as("put back").isTrue();
  }

  @Test
  void aSnapshotBegunAgainByItselfIsStillTheSameName() {
    fill();
    stored.position(stored.offset().withSnapshot(SnapshotState.COMPLETED, "#2"));

    assertThat(restore("", OTHER_SCOPE).refusal()).isNotNull();
  }

  @Test
  void otherKeysUnderANewSnapshotReadEverythingAndForgetTheOldOnesWithAWarning() {
    fill();

    Restart restart = restore("june", OTHER_SCOPE);

    assertThat(restart.refusal()).isNull();
    assertThat(restart.offset())
        .isEqualTo(StreamOffset.start("june#2", OTHER_SCOPE).withSeq(2, EPOCH));
    assertThat(restart.digest().size()).isZero();
    assertOneWarning(
        "POS-607",
        "keys are made of " + OTHER_KEYS,
        "no longer of " + KEYS,
        "every row is emitted under its new key",
        "delete the records");
  }

  @Test
  void aChangeOfKeysThatWasInterruptedGoesOn() {
    fill();
    goOn(restore("june", OTHER_SCOPE));
    stored.say(ONE, 7);

    Restart restart = restore("june", OTHER_SCOPE);

    assertEverythingOnceMore(restart, "june#2");
    assertThat(restart.digest().contains(ONE)).isTrue();
    assertThat(restart.digest().size()).isEqualTo(1);
    assertThat(restore("june").refusal()).as("some rows stand there by now").isNotNull();
  }

  @Test
  void aChangeOfKeysThatIsUndoneHalfwayEmitsEverythingOnceMore() {
    fill();
    goOn(restore("june", OTHER_SCOPE));
    stored.say(ONE, 7);

    Restart restart = restore("");

    assertEverythingOnceMore(restart, "#3");
    assertThat(restart.digest().contains(TWO)).isFalse();
    assertThat(restart.digest().size()).as("nothing deletes the old keys").isZero();
    assertThat(log.lines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("POS-607", "nothing deletes the old keys"));
  }

  @Test
  void whatIsLeftOfEarlierKeysIsNeitherReadNorLost() {
    fill();
    goOn(restore("june", OTHER_SCOPE));
    stored.say(ONE, 7);
    stored.checkpoint(WATERMARK);

    Restart restart = restore("june", OTHER_SCOPE);

    assertThat(restart.offset()).isEqualTo(stored.offset());
    assertThat(restart.digest().size()).isEqualTo(1);
    rewind();
    assertThat(restore("june", OTHER_SCOPE).offset().watermark()).isEqualTo(WATERMARK);
    assertThat(restore("june", OTHER_SCOPE).digest().size()).isEqualTo(1);
  }

  @Test
  void anotherTopicIsFilledFromTheBeginningWithAnotherNumbering() {
    fill();
    clock = InstantSource.fixed(NOW.plusSeconds(60));
    DigestScope other = new DigestScope("shop.products", KEYS, "", "full /products", "");

    Restart restart = goOn(restore("", other));

    assertEverythingOnceMore(restart, "#2");
    assertThat(restart.digest().size()).as("of keys that do not stand in that topic").isZero();
    assertThat(restart.offset().seq()).isZero();
    assertThat(restart.offset().epochMillis()).isEqualTo(EPOCH + 60_000);
    assertOneWarning("POS-606", "its topic is shop.products now, no longer pos.products");

    stored.say(ONE, 7);
    assertThat(restore("", other).offset().seq()).isEqualTo(1);
    assertThat(restore("", other).digest().size()).isEqualTo(1);
    assertThat(restore("", SCOPE).offset().epochMillis())
        .as("back is another one, though the clock stands still")
        .isEqualTo(EPOCH + 60_001);
  }

  @Test
  void aLargerContractGoesOnAndIsToldOnce() {
    goOn(restore("", SCOPE.withContract("aaaaaaaa price:9")));
    fill();
    DigestScope larger = SCOPE.withContract("bbbbbbbb cost:2,price:9");

    Restart restart = goOn(restore("", larger));

    assertThat(restart.refusal()).isNull();
    assertThat(restart.notice()).startsWith("POS-608 downtown/products: ");
    Messages.assertExplained(restart.notice());
    assertThat(restart.offset().watermark()).isEqualTo(WATERMARK);
    assertThat(restart.digest().contains(TWO)).isTrue();
    assertThat(restart.offset().scope()).isEqualTo(larger);
    stored.checkpoint(WATERMARK);
    assertThat(restore("", larger).notice()).as("told before").isNull();
  }

  @Test
  void aNewSnapshotOfALargerContractNeedsNoNotice() {
    goOn(restore("", SCOPE.withContract("aaaaaaaa")));
    fill();

    Restart restart = restore("june", SCOPE.withContract("bbbbbbbb"));

    assertEverythingOnceMore(restart, "june#2");
    assertThat(restart.notice()).isNull();
  }

  @Test
  void aContractThatIsNotKnownIsHeldAgainstNothing() {
    fill();

    Restart restart = restore("", SCOPE.withContract("bbbbbbbb price:2"));

    assertThat(restart.refusal()).isNull();
    assertThat(restart.notice()).isNull();
  }

  @Test
  void anotherScaleIsRefusedUnderWhateverSnapshotUntilItIsPutBackOrGoesElsewhere() {
    goOn(restore("", SCOPE.withContract("aaaaaaaa price:9")));
    fill();
    DigestScope rescaled = SCOPE.withContract("aaaaaaaa price:2");

    for (String snapshotId : List.of("", "june")) {
      Restart refused = restore(snapshotId, rescaled);

      assertThat(refused.refusal())
          .startsWith("POS-609 downtown/products: price would have the scale 2")
          .contains("Restore the scale", "another topic");
      Messages.assertExplained(refused.refusal());
      assertThat(refused.offset()).as("nothing moves").isEqualTo(stored.offset());
    }
    assertThat(restore("", SCOPE.withContract("aaaaaaaa price:9")).refusal()).isNull();
    DigestScope elsewhere =
        new DigestScope("shop.products", KEYS, "", "full /products", "aaaaaaaa price:2");
    assertThat(restore("", elsewhere).refusal()).isNull();
    assertThat(restore("", elsewhere).offset().scope()).isEqualTo(elsewhere);
  }

  @Test
  void anotherScaleIsRefusedAlsoBeforeTheFirstPositionAndAfterARewind() {
    goOn(restore("", SCOPE.withContract("aaaaaaaa price:9")));
    stored.say(ONE, 7);
    assertThat(restore("", SCOPE.withContract("aaaaaaaa price:2")).refusal()).isNotNull();

    stored.checkpoint(WATERMARK);
    rewind();
    assertThat(restore("", SCOPE.withContract("aaaaaaaa price:2")).refusal()).isNotNull();
  }

  @Test
  void aScaleIsRememberedWhileItsFieldIsNotDeclared() {
    goOn(restore("", SCOPE.withContract("aaaaaaaa price:9")));
    fill();
    goOn(restore("", SCOPE.withContract("bbbbbbbb")));
    stored.checkpoint(WATERMARK);

    assertThat(restore("", SCOPE.withContract("cccccccc price:2")).refusal()).isNotNull();
    assertThat(restore("", SCOPE.withContract("cccccccc price:9")).refusal()).isNull();
  }

  @Test
  void otherFieldsToCompareOrAnotherPathEmitEverythingOnceMoreAndStillFindDeletes() {
    for (DigestScope other :
        List.of(
            new DigestScope("pos.products", KEYS, "lastSeen", "full /products", ""),
            new DigestScope("pos.products", KEYS, "", "full /items", ""),
            new DigestScope("pos.products", KEYS, "", "cursor /products", ""))) {
      stored.offsets().clear();
      goOn(restore(""));
      fill();
      int warnings = log.lines().size();

      Restart restart = goOn(restore("", other));

      assertEverythingOnceMore(restart, "#2");
      assertThat(restart.digest().contains(ONE)).isFalse();
      assertThat(restart.digest().size()).isEqualTo(2);
      assertThat(restart.offset().seq()).isEqualTo(2);
      assertThat(log.lines()).hasSize(warnings + 1);
      String line = log.lines().get(warnings);
      assertThat(line).startsWith("WARN POS-606 ").contains("no longer \"full /products without ");
      Messages.assertExplained(line);
      stored.say(ONE, 9);
      assertThat(restore("", other).offset().snapshotId()).isEqualTo("#2");
    }
  }

  @Test
  void aRaisedCeilingReadsEverythingOfAStreamThatCouldNotRememberAll() {
    fill();
    stored.position(stored.offset().withWindowRetention(100));

    assertThat(restore("").offset().snapshot()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(restore("", SCOPE, 50).offset().snapshotId()).as("lowered").isEmpty();
    assertThat(log.lines()).isEmpty();
    Restart restart = restore("", SCOPE, 101);
    assertEverythingOnceMore(restart, "#2");
    assertThat(restart.offset().retention()).isEqualTo(StreamOffset.Retention.FULL);
    assertOneWarning("POS-606", "digest.max.keys was raised from 100 to 101");
  }

  @Test
  void aRaisedCeilingMeansNothingToAStreamThatRemembersAll() {
    fill();

    assertThat(restore("", SCOPE, 1000).offset()).isEqualTo(stored.offset());
  }

  @Test
  void aRewoundPositionGoesOnFromThereWithWhatIsKnown() {
    stored.say(1, 3, 7);
    stored.checkpoint(WATERMARK.plusSeconds(60));
    stored.say(ONE, 8);
    rewind();

    Restart restart = restore("");

    assertThat(restart.offset())
        .isEqualTo(
            StreamOffset.start("", SCOPE)
                .withWatermark(WATERMARK)
                .withSnapshot(SnapshotState.COMPLETED, "")
                .withSeq(3, EPOCH));
    assertThat(restart.digest().size()).isEqualTo(2);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void aRewoundPositionOfASnapshotThatRunsGoesOnWithTheSnapshot() {
    stored.say(1, 3, 7);
    stored.checkpointOfPart(WATERMARK.plusSeconds(60));
    rewind();

    Restart restart = restore("");

    assertThat(restart.offset().watermark()).isEqualTo(WATERMARK);
    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.RUNNING);
    assertThat(restart.digest().contains(ONE)).isTrue();
  }

  @Test
  void aWatermarkSetBeforeAnythingWasReadSkipsTheSnapshot() {
    stored.offsets().clear();
    rewind();

    Restart restart = restore("june");

    assertThat(restart.offset().watermark()).isEqualTo(WATERMARK);
    assertThat(restart.offset().snapshot()).isEqualTo(SnapshotState.COMPLETED);
    assertThat(restart.offset().snapshotId()).isEqualTo("june");
    assertThat(restart.offset().rewound()).isFalse();
    assertThat(restart.offset().epochMillis()).isEqualTo(EPOCH);
  }

  @Test
  void aRewoundPositionDoesNotHideThatTheKeysAreOthers() {
    fill();
    rewind();

    assertThat(restore("").offset().watermark()).isEqualTo(WATERMARK);
    assertThat(restore("", OTHER_SCOPE).refusal()).contains("under keys of " + KEYS);
    Restart confirmed = restore("june", OTHER_SCOPE);
    assertEverythingOnceMore(confirmed, "june#2");
    assertThat(confirmed.digest().size()).isZero();
  }

  @Test
  void aRewoundPositionAndANewSnapshotReadEverything() {
    fill();
    rewind();

    Restart restart = restore("june");

    assertEverythingOnceMore(restart, "june#2");
    assertThat(restart.digest().contains(ONE)).isFalse();
    assertThat(restart.digest().size()).isEqualTo(2);
  }

  @Test
  void aRewoundPositionDoesNotHideALoss() {
    stored.say(0, MANY, 7);
    stored.checkpoint(WATERMARK);
    rewind();
    lose(1);

    assertEverythingOnceMore(restore(""), "#2");
    assertOneError("POS-602", "everything is emitted once more");
  }

  @Test
  void aResetPositionReadsEverythingAndEmitsWhatIsNews() {
    fill();
    stored.reset(StreamPartition.position(STREAM));

    Restart restart = restore("");

    assertEverythingOnceMore(restart, "");
    assertThat(restart.digest().contains(ONE)).isTrue();
    assertThat(restart.digest().contains(TWO)).isTrue();
    assertThat(restart.offset().seq()).isEqualTo(2);
    assertThat(restart.offset().epochMillis()).isEqualTo(EPOCH);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void withoutAPositionOtherKeysReadEverything() {
    fill();
    stored.reset(StreamPartition.position(STREAM));

    Restart restart = restore("", OTHER_SCOPE);

    assertEverythingOnceMore(restart, "#2");
    assertThat(restart.digest().size()).isZero();
  }

  @Test
  void theNumberingGoesOnAfterTheLatestEventWhoeverKnowsOfIt() {
    fill();
    clock = InstantSource.fixed(NOW.plusSeconds(60));
    assertThat(restore("").offset().seq()).isEqualTo(2);

    stored.say(ONE, 8);
    assertThat(restore("").offset().seq()).as("after the checkpoint").isEqualTo(3);
    assertThat(restore("").offset().epochMillis()).isEqualTo(EPOCH);

    stored.position(stored.offset().withSeq(5, EPOCH));
    assertThat(restore("").offset().seq()).as("the position").isEqualTo(5);
  }
}
