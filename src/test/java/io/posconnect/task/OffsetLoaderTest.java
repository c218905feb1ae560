package io.posconnect.task;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Messages;
import io.posconnect.TaskLog;
import io.posconnect.change.Digest;
import io.posconnect.change.Digest.Segments;
import io.posconnect.offset.DigestScope;
import io.posconnect.offset.Snapshot;
import io.posconnect.offset.Snapshot.State;
import io.posconnect.offset.StoredStream;
import io.posconnect.offset.StreamContext;
import io.posconnect.offset.StreamOffset;
import io.posconnect.offset.StreamPartition;
import io.posconnect.resource.Key;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.StartFrom;
import io.posconnect.resource.Stream;
import io.posconnect.task.OffsetLoader.ResumedStream;
import io.posconnect.task.OffsetLoader.StreamToResume;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

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
  private static final DigestScope SHOP =
      new DigestScope("shop.products", KEYS, "", "full /products", "");
  private static final DigestScope IGNORING =
      new DigestScope("pos.products", KEYS, "lastSeen", "full /products", "");
  private static final DigestScope ITEMS =
      new DigestScope("pos.products", KEYS, "", "full /items", "");
  private static final int MANY = 600; // of about four segments
  private static final Key ONE = Key.of(1);
  private static final Key TWO = Key.of(2);

  @AutoClose private final TaskLog log = TaskLog.listen();
  private final StoredStream stored =
      new StoredStream(
          STREAM,
          start(Snapshot.first(""), SCOPE, 0),
          new Digest(Segments.DEFAULT, new SplittableRandom(1)));
  private InstantSource clock = InstantSource.fixed(NOW);
  private int processes;
  private boolean exactlyOnce = true;
  private Optional<StartFrom> startFrom = Optional.empty();

  private ResumedStream restore(String snapshotId) {
    return restore(snapshotId, SCOPE);
  }

  private ResumedStream restore(String snapshotId, DigestScope scope) {
    return restore(toResume(STREAM, snapshotId, scope)).get(STREAM);
  }

  private Map<Stream, ResumedStream> restore(StreamToResume... streams) {
    return new OffsetLoader(
            stored.reader(), clock, Segments.DEFAULT, new SplittableRandom(++processes))
        .restore(List.of(streams));
  }

  private StreamToResume toResume(Stream stream, String snapshotId, DigestScope scope) {
    return new StreamToResume(stream, snapshotId, exactlyOnce, scope, startFrom, false);
  }

  private static StreamOffset start(Snapshot snapshot, DigestScope scope, long seq) {
    return StreamOffset.start(StreamContext.of(snapshot, scope, new Numbering(seq, EPOCH)));
  }

  private static Numbering numbering(ResumedStream stream) {
    return stream.offset().context().numbering();
  }

  private static long seq(ResumedStream stream) {
    return numbering(stream).seq();
  }

  private static String id(ResumedStream stream) {
    return stream.offset().context().snapshot().id();
  }

  private static @Nullable String refusal(ResumedStream stream) {
    return stream.plan() instanceof ResumePlan.Refuse refused ? refused.reason().toString() : null;
  }

  private static @Nullable String notice(ResumedStream stream) {
    return stream.plan() instanceof ResumePlan.Continue unchanged && unchanged.notice() != null
        ? unchanged.notice().toString()
        : null;
  }

  /** Another process takes over and writes what comes next. */
  private ResumedStream resume(ResumedStream restart) {
    stored.resume(restart.offset(), restart.digest());
    return restart;
  }

  /** The stream has been read in full: keys 1 and 2. */
  private void fill() {
    fill(1, 3);
  }

  /** The stream has been read in full: more keys than a segment holds. */
  private void fillMany() {
    fill(0, MANY);
  }

  private void fill(int from, int to) {
    stored.emit(from, to, 7);
    stored.checkpoint(WATERMARK);
  }

  private void lose(int slot) {
    stored.reset(StreamPartition.slot(STREAM, slot));
  }

  private void damage(int slot) {
    stored.put(StreamPartition.slot(STREAM, slot), Map.of("digest", "AQAA"));
  }

  private void rewind() {
    stored.rewind(WATERMARK);
  }

  private void assertEverythingOnceMore(ResumedStream restart, String snapshotId) {
    assertThat(refusal(restart)).isNull();
    assertThat(id(restart)).isEqualTo(snapshotId);
    assertThat(restart.offset().snapshotted()).isFalse();
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
  void logsOneLineForAllStreams() {
    fill();
    log.close();
    try (TaskLog info = TaskLog.listenAtInfo()) {
      Stream other = new Stream("airport", "products");
      restore(toResume(STREAM, "", SCOPE), toResume(other, "", SCOPE));
      assertThat(info.lines())
          .singleElement()
          .asString()
          .contains("INFO 2 streams read back, 2 keys known");
    }
  }

  @Test
  void newStreamBeginsNumbering() {
    stored.offsets().clear();

    ResumedStream restart = restore("june");

    assertEverythingOnceMore(restart, "june");
    assertThat(restart.offset()).isEqualTo(start(Snapshot.first("june"), SCOPE, 0));
    assertThat(restart.digest().size()).isZero();
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void resumesWhereStreamLeftOff() {
    fillMany();

    ResumedStream restart = restore("");

    assertThat(restart.offset()).isEqualTo(stored.offset());
    assertThat(restart.offset().snapshotted()).isTrue();
    assertThat(restart.digest().size()).isEqualTo(MANY);
    assertThat(restart.digest().known(Key.of(MANY - 1)).isCurrent()).isTrue();
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void readsSlotsThatOnlyAnotherSlotNames() {
    stored.emit(0, 20_000, 7); // in about a hundred, and no position knows of any

    assertThat(restore("").digest().size()).isEqualTo(20_000);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void emitsEverythingAfterLostSegment() {
    fillMany();
    lose(1);

    ResumedStream restart = restore("");

    assertEverythingOnceMore(restart, "#2");
    assertThat(numbering(restart))
        .as("nobody knows the last number")
        .isEqualTo(new Numbering(0, EPOCH + 1));
    assertThat(restart.digest().known(ONE).isCurrent()).isFalse();
    assertThat(restart.digest().size()).as("still serves to find deletes").isBetween(300, MANY);
    assertOneError("POS-602", "absent or too short", "everything is emitted once more");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void emitsEverythingAfterDamagedSegment(boolean positioned) {
    fill();
    if (!positioned) {
      stored.reset(StreamPartition.position(STREAM));
    }
    damage(0);

    ResumedStream restart = restore("");

    assertEverythingOnceMore(restart, "#2");
    assertThat(restart.digest().size()).isZero();
    assertOneError("POS-602", "slot 0: its checksum does not fit");
  }

  @ParameterizedTest
  @CsvSource({"2, 0", "600, 9"})
  void overwritesDamagedSlotFirstAndReportsItOnceDespiteCrash(int keys, int slot) {
    fill(1, keys + 1);
    damage(slot);
    resume(restore(""));
    int warnings = log.lines().size();
    stored.emit(ONE, 8);

    assertThat(id(restore(""))).isEqualTo("#2");
    assertThat(restore("").digest().known(ONE).isCurrent()).as("was emitted again").isTrue();
    assertThat(log.lines()).hasSize(warnings);
  }

  @Test
  void repairsLossOnceDespiteCrash() {
    fillMany();
    lose(1);
    assertThat(id(restore(""))).isEqualTo("#2");
    assertThat(id(resume(restore("")))).as("nothing was written meanwhile").isEqualTo("#2");
    int warnings = log.lines().size();
    stored.emit(ONE, 7);

    ResumedStream restart = resume(restore(""));
    assertThat(id(restart)).isEqualTo("#2");
    assertThat(seq(restart)).isEqualTo(1);
    assertThat(restart.digest().known(ONE).isCurrent()).isTrue();
    stored.emit(0, MANY, 7);
    assertThat(id(resume(restore("")))).isEqualTo("#2");
    stored.checkpoint(WATERMARK);
    assertThat(restore("").offset()).isEqualTo(stored.offset());
    assertThat(log.lines()).hasSize(warnings);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void damageIsAnsweredOnceOverManyRestarts(boolean delivery) {
    exactlyOnce = delivery;
    fill(0, 300);
    List.of(0, 20, 40).forEach(this::damage);
    resume(restore(""));
    stored.emit(ONE, 7);
    rewind(); // Then the segments alone name the damage that is answered.
    assertThat(id(resume(restore("")))).isEqualTo("#2");
    fill(0, 300);

    for (int start = 1; start <= 3; start++) {
      ResumedStream restart = resume(restore(""));
      assertThat(id(restart)).as("restart %s", start).isEqualTo("#2");
      assertThat(restart.offset().snapshotted()).isTrue();
      assertThat(restart.digest().known(Key.of(299)).isCurrent()).isTrue();
    }
    assertOneError("POS-602", "everything is emitted once more");
  }

  /** The same damage again, of what a start has written, cannot be seen: numbers would be lost. */
  @Test
  void beginsANewNumberingAtEachStartUntilDamageIsWrittenOver() {
    fill(0, 300);
    List.of(0, 20, 40).forEach(this::damage);
    resume(restore(""));
    stored.emit(ONE, 7);
    long epoch = numbering(resume(restore(""))).epochMillis();
    stored.emit(TWO, 7);
    assertThat(numbering(resume(restore("")))).isEqualTo(new Numbering(0, epoch + 1));

    fill(0, 300);
    assertThat(numbering(restore(""))).isEqualTo(new Numbering(298, epoch + 1));
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void lossIsAnsweredOnceThoughNoRowIsLeft(boolean damaged) {
    fillMany();
    if (damaged) {
      damage(1);
    } else {
      lose(1);
    }
    stored.position(resume(restore("")).offset()); // what the first status carries

    for (int start = 1; start <= 3; start++) {
      assertThat(id(resume(restore("")))).as("restart %s", start).isEqualTo("#2");
    }
    assertThat(log.lines()).hasSize(1);
    stored.checkpoint(WATERMARK);
    assertThat(restore("").offset().snapshotted()).isTrue();
    assertThat(log.lines()).hasSize(1);
  }

  @Test
  void answeredDamageHidesNoLaterOne() {
    fillMany();
    damage(1);
    resume(restore(""));
    fillMany();
    assertThat(id(restore(""))).isEqualTo("#2");

    stored.put(StreamPartition.slot(STREAM, 1), Map.of("digest", "AgAA"));
    assertThat(id(resume(restore("")))).isEqualTo("#3");
    stored.emit(ONE, 7);
    damage(30);
    assertThat(id(restore(""))).isEqualTo("#4");
  }

  @Test
  void refusedStreamForgetsNoDamage() {
    fillMany();
    damage(1);
    ResumedStream refused = resume(restore("", OTHER_SCOPE));
    assertThat(refusal(refused)).isNotNull();
    stored.position(refused.offset()); // what its status carries

    assertEverythingOnceMore(restore(""), "#2");
  }

  @Test
  void newSnapshotIdEmitsEverythingInSameNumberingDespiteCrash() {
    fill();

    ResumedStream restart = resume(restore("june"));

    assertEverythingOnceMore(restart, "june#2");
    assertThat(restart.digest().known(ONE).isCurrent()).isFalse();
    assertThat(restart.digest().size()).as("still serves to find deletes").isEqualTo(2);
    assertThat(numbering(restart)).isEqualTo(new Numbering(2, EPOCH));
    assertOneWarning("POS-606", "snapshot.id is \"june\" now");

    stored.emit(ONE, 7);
    restart = restore("june");
    assertEverythingOnceMore(restart, "june#2");
    assertThat(restart.digest().known(ONE).isCurrent()).as("was emitted again").isTrue();
    assertThat(restart.digest().known(TWO).isCurrent()).as("is to be emitted again").isFalse();
    assertThat(restart.digest().known(TWO).isThere()).isTrue();
    assertThat(seq(restart)).isEqualTo(3);
    assertThat(log.lines()).as("was told once").hasSize(1);
  }

  @Test
  void refusesOtherKeysInSameSnapshotAndWhenItIsRepeated() {
    fill();

    ResumedStream refused = restore("", OTHER_SCOPE);
    String refusal = refusal(refused);

    assertThat(refusal)
        .startsWith("POS-603 downtown/products: keys would be made of " + OTHER_KEYS)
        .contains("under keys of " + KEYS, "nothing is read or deleted")
        .contains("resources.products.key.fields (or its .occurrences,", "Restore the key fields")
        .contains("resources.products.snapshot.id was", "give snapshot.id a new value");
    Messages.assertExplained(refusal);
    assertThat(refused.offset()).as("nothing moves").isEqualTo(stored.offset());
    assertThat(refusal(restore(""))).as("put back").isNull();
    assertThat(restore("").digest().known(TWO).isCurrent()).as("put back").isTrue();

    stored.position(
        stored.offset().withContext(c -> c.withSnapshot(Snapshot.parse("#2", State.COMPLETED))));
    assertThat(refusal(restore("", OTHER_SCOPE))).as("keeps its name").isNotNull();
  }

  @Test
  void otherKeysInNewSnapshotWarnAndReadEverythingDespiteCrash() {
    fill();

    ResumedStream restart = resume(restore("june", OTHER_SCOPE));

    assertThat(refusal(restart)).isNull();
    assertThat(restart.offset()).isEqualTo(start(Snapshot.first("").next("june"), OTHER_SCOPE, 2));
    assertThat(restart.digest().size()).isZero();
    assertOneWarning(
        "POS-607",
        "keys are made of " + OTHER_KEYS,
        "no longer of " + KEYS,
        "every row is emitted under its new key",
        "delete the records");

    stored.emit(ONE, 7);
    restart = restore("june", OTHER_SCOPE);
    assertEverythingOnceMore(restart, "june#2");
    assertThat(restart.digest().known(ONE).isCurrent()).isTrue();
    assertThat(restart.digest().size()).isEqualTo(1);
    assertThat(refusal(restore("june"))).as("some rows stand there by now").isNotNull();

    stored.checkpoint(WATERMARK);
    assertThat(restore("june", OTHER_SCOPE).offset()).isEqualTo(stored.offset());
    assertThat(restore("june", OTHER_SCOPE).digest().size()).as("no earlier keys").isEqualTo(1);
    rewind();
    assertThat(restore("june", OTHER_SCOPE).digest().size()).isEqualTo(1);
  }

  @Test
  void undoneChangeOfKeysEmitsEverything() {
    fill();
    resume(restore("june", OTHER_SCOPE));
    stored.emit(ONE, 7);

    ResumedStream restart = restore("");

    assertEverythingOnceMore(restart, "#3");
    assertThat(restart.digest().known(TWO).isCurrent()).isFalse();
    assertThat(restart.digest().size()).as("nothing deletes the old keys").isZero();
    assertThat(log.lines())
        .hasSize(2)
        .allSatisfy(line -> assertThat(line).contains("POS-607", "nothing deletes the old keys"));
  }

  @Test
  void otherTopicGetsEverythingInNewNumbering() {
    fill();
    clock = InstantSource.fixed(NOW.plusSeconds(60));

    ResumedStream restart = resume(restore("", SHOP));

    assertEverythingOnceMore(restart, "#2");
    assertThat(restart.digest().size()).as("of keys that do not stand in that topic").isZero();
    assertThat(numbering(restart)).isEqualTo(new Numbering(0, EPOCH + 60_000));
    assertOneWarning("POS-606", "its topic is shop.products now, no longer pos.products");

    stored.emit(ONE, 7);
    assertThat(seq(restore("", SHOP))).isEqualTo(1);
    assertThat(restore("", SHOP).digest().size()).isEqualTo(1);
    assertThat(numbering(restore("")).epochMillis())
        .as("back is another one, though the clock stands still")
        .isEqualTo(EPOCH + 60_001);
  }

  @Test
  void goingBackToEarlierTopicIsANewTopic() {
    fill(0, 100 * MANY);
    resume(restore("", SHOP));
    stored.emit(ONE, 7);

    ResumedStream back = restore("", SCOPE);

    assertEverythingOnceMore(back, "#3");
    assertThat(back.digest().size()).as("nothing is known of its rows").isZero();
  }

  @Test
  void largerContractIsReportedOnceAndNotInANewSnapshot() {
    resume(restore("", SCOPE.withContract("aaaaaaaa price:9")));
    fill();
    DigestScope larger = SCOPE.withContract("bbbbbbbb cost:2,price:9");
    ResumedStream ofNewSnapshot = restore("june", larger);
    assertEverythingOnceMore(ofNewSnapshot, "june#2");
    assertThat(notice(ofNewSnapshot)).isNull();

    ResumedStream restart = resume(restore("", larger));

    assertThat(refusal(restart)).isNull();
    assertThat(notice(restart)).startsWith("POS-608 downtown/products: ");
    Messages.assertExplained(notice(restart));
    assertThat(restart.offset().watermark()).isEqualTo(WATERMARK);
    assertThat(restart.digest().known(TWO).isCurrent()).isTrue();
    assertThat(restart.offset().context().scope()).isEqualTo(larger);
    stored.checkpoint(WATERMARK);
    assertThat(notice(restore("", larger))).as("told before").isNull();
  }

  @Test
  void refusesOtherScaleUntilRestoredOrInOtherTopic() {
    resume(restore("", SCOPE.withContract("aaaaaaaa price:9")));
    fill();
    DigestScope rescaled = SCOPE.withContract("aaaaaaaa price:2");

    for (String snapshotId : List.of("", "june")) {
      ResumedStream refused = restore(snapshotId, rescaled);

      assertThat(refusal(refused))
          .startsWith("POS-609 downtown/products: price would have the scale 2")
          .contains("Restore the type", "another topic");
      Messages.assertExplained(refusal(refused));
      assertThat(refused.offset()).as("nothing moves").isEqualTo(stored.offset());
    }
    assertThat(refusal(restore("", SCOPE.withContract("aaaaaaaa price:9")))).isNull();
    DigestScope elsewhere = SHOP.withContract("aaaaaaaa price:2");
    assertThat(refusal(restore("", elsewhere))).isNull();
    assertThat(restore("", elsewhere).offset().context().scope()).isEqualTo(elsewhere);
  }

  @Test
  void refusesOtherScaleBeforeFirstPositionAndAfterRewind() {
    resume(restore("", SCOPE.withContract("aaaaaaaa price:9")));
    stored.emit(ONE, 7);
    assertThat(refusal(restore("", SCOPE.withContract("aaaaaaaa price:2")))).isNotNull();

    stored.checkpoint(WATERMARK);
    rewind();
    assertThat(refusal(restore("", SCOPE.withContract("aaaaaaaa price:2")))).isNotNull();
  }

  @Test
  void remembersScaleOfUndeclaredField() {
    resume(restore("", SCOPE.withContract("aaaaaaaa price:9")));
    fill();
    resume(restore("", SCOPE.withContract("bbbbbbbb")));
    stored.checkpoint(WATERMARK);

    assertThat(refusal(restore("", SCOPE.withContract("cccccccc price:2")))).isNotNull();
    assertThat(refusal(restore("", SCOPE.withContract("cccccccc price:9")))).isNull();
  }

  @Test
  void otherComparisonEmitsEverythingAndStillFindsDeletes() {
    for (DigestScope other :
        List.of(
            IGNORING, ITEMS, new DigestScope("pos.products", KEYS, "", "cursor /products", ""))) {
      stored.offsets().clear();
      resume(restore(""));
      fill();
      int warnings = log.lines().size();

      ResumedStream restart = resume(restore("", other));

      assertEverythingOnceMore(restart, "#2");
      assertThat(restart.digest().known(ONE).isCurrent()).isFalse();
      assertThat(restart.digest().size()).isEqualTo(2);
      assertThat(seq(restart)).isEqualTo(2);
      assertThat(log.lines()).hasSize(warnings + 1);
      String line = log.lines().get(warnings);
      assertThat(line).startsWith("WARN POS-606 ").contains("no longer \"full /products\"");
      Messages.assertExplained(line);
      stored.emit(ONE, 9);
      assertThat(id(restore("", other))).isEqualTo("#2");
    }
  }

  @Test
  void rewindResumesWithKnownKeys() {
    stored.emit(1, 3, 7);
    stored.checkpoint(WATERMARK.plusSeconds(60));
    stored.emit(ONE, 8);
    rewind();

    ResumedStream restart = restore("");

    Numbering next = new Numbering(0, EPOCH + 1);
    assertThat(restart.offset())
        .isEqualTo(
            StreamOffset.start(StreamContext.of(Snapshot.first(""), SCOPE, next))
                .withWatermark(WATERMARK)
                .withSnapshotCompleted(StreamOffset.NEVER));
    assertThat(restart.digest().size()).isEqualTo(2);
    assertThat(log.lines()).isEmpty();
  }

  @Test
  void rewindOfRunningSnapshotReadsAllOfIt() {
    stored.emit(1, 3, 7);
    stored.checkpointOfPart(WATERMARK.plusSeconds(60));
    rewind();

    ResumedStream restart = restore("");

    assertEverythingOnceMore(restart, "");
    assertThat(restart.digest().known(ONE).isCurrent()).isTrue();
  }

  @Test
  void rewindDoesNotCompleteALaterSnapshotOrOneOfChangedSettings() {
    fill();
    rewind();
    resume(restore("june"));
    stored.emit(ONE, 7); // and a crash before its first checkpoint, so the rewind is still stored
    assertEverythingOnceMore(restore("june"), "june#2");

    for (DigestScope other : List.of(SHOP, ITEMS, IGNORING)) {
      stored.offsets().clear();
      resume(restore(""));
      fill();
      rewind();
      resume(restore("", other));
      stored.emit(ONE, 7);

      assertEverythingOnceMore(restore("", other), "#2");
    }
  }

  @Test
  void rewindKeepsTheIdentityAndResetForgetsIt() {
    resume(restore(""));
    stored.resume(stored.offset().withIdentity("Acme/Downtown"), restore("").digest());
    fill();
    rewind();
    assertThat(restore("").offset().context().identity()).isEqualTo("Acme/Downtown");
    assertThat(restore("june").offset().context().identity()).isEqualTo("Acme/Downtown");

    stored.reset(StreamPartition.position(STREAM));
    assertThat(restore("").offset().context().identity()).isEmpty();
    assertThat(restore("june").offset().context().identity()).isEmpty();
  }

  @Test
  void watermarkBeforeFirstReadSkipsSnapshot() {
    stored.offsets().clear();
    rewind();

    ResumedStream restart = restore("june");

    assertThat(restart.offset().watermark()).isEqualTo(WATERMARK);
    assertThat(restart.offset().snapshotted()).isTrue();
    assertThat(id(restart)).isEqualTo("june");
    assertThat(numbering(restart).epochMillis()).isEqualTo(EPOCH);
  }

  @Test
  void rewindDoesNotHideOtherKeys() {
    fill();
    rewind();

    assertThat(refusal(restore("", OTHER_SCOPE))).contains("under keys of " + KEYS);
    ResumedStream confirmed = restore("june", OTHER_SCOPE);
    assertEverythingOnceMore(confirmed, "june#2");
    assertThat(confirmed.digest().size()).isZero();
  }

  @Test
  void aRewoundPositionDoesNotHideALoss() {
    fillMany();
    rewind();
    lose(1);

    assertEverythingOnceMore(restore(""), "#2");
    assertOneError("POS-602", "everything is emitted once more");
  }

  @Test
  void resetReadsEverythingAndEmitsChangesUnlessKeysAreOthers() {
    fill();
    stored.reset(StreamPartition.position(STREAM));

    ResumedStream restart = restore("");

    assertEverythingOnceMore(restart, "");
    assertThat(restart.digest().known(ONE).isCurrent()).isTrue();
    assertThat(restart.digest().known(TWO).isCurrent()).isTrue();
    assertThat(numbering(restart)).isEqualTo(new Numbering(0, EPOCH + 1));
    assertThat(log.lines()).isEmpty();

    ResumedStream underOtherKeys = restore("", OTHER_SCOPE);
    assertEverythingOnceMore(underOtherKeys, "#2");
    assertThat(underOtherKeys.digest().size()).isZero();
  }

  @Test
  void resumesNumberingAfterLatestEvent() {
    fill();
    clock = InstantSource.fixed(NOW.plusSeconds(60));
    assertThat(seq(restore(""))).isEqualTo(2);

    stored.emit(ONE, 8);
    assertThat(seq(restore(""))).as("after the checkpoint").isEqualTo(3);
    assertThat(numbering(restore("")).epochMillis()).isEqualTo(EPOCH);

    stored.position(stored.offset().withContext(c -> c.withNumbering(new Numbering(5, EPOCH))));
    assertThat(seq(restore(""))).as("the position").isEqualTo(5);
  }

  /** At least once, an event before the newest stored one may never have been written. */
  @Test
  void exactlyOnceLeavesOutNoNumberThatAtLeastOnceUsesAgain() {
    fill();
    stored.emit(ONE, 8);
    exactlyOnce = false;
    assertThat(seq(resume(restore("")))).isEqualTo(2);
    stored.checkpoint(WATERMARK);
    exactlyOnce = true;
    assertThat(numbering(restore(""))).isEqualTo(new Numbering(0, EPOCH + 1));
    rewind();
    assertThat(numbering(restore(""))).isEqualTo(new Numbering(0, EPOCH + 1));
  }

  private static Instant start(ResumedStream resumed) {
    return resumed.offset().context().snapshot().start();
  }

  @Test
  void keepsStartOfDateRangeUntilPersonAsksForSnapshot() {
    startFrom = Optional.of(StartFrom.of("P30D"));
    ResumedStream first = restore("");
    Instant begun = NOW.minus(Duration.ofDays(30));
    assertThat(start(first)).isEqualTo(begun);
    resume(first);
    fill();

    clock = InstantSource.fixed(NOW.plus(Duration.ofDays(3)));
    assertThat(start(restore(""))).isEqualTo(begun);
    startFrom = Optional.of(StartFrom.of("now"));
    assertThat(start(restore(""))).isEqualTo(begun);
    assertThat(start(restore("june"))).isEqualTo(begun);
    assertThat(log.text()).doesNotContain("POS-611");

    startFrom = Optional.of(StartFrom.of("2024-01-01T00:00:00Z"));
    assertThat(start(restore(""))).isEqualTo(begun);
    assertThat(log.lines())
        .filteredOn(line -> line.contains("POS-611"))
        .singleElement()
        .asString()
        .contains("stands for 2024-01-01T00:00:00Z now, and the stream began at " + begun);
    assertThat(start(restore("june"))).isEqualTo("2024-01-01T00:00:00Z");
  }
}
