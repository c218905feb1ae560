package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.fetch.Setup.Style;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The crash law and the law of liveness find each planted fault. */
class PlantedFaultsTest {

  private static final int ENOUGH = 20_000;

  static Stream<Arguments> faults() {
    return Stream.of(
        Arguments.of(Style.MODIFIED, new PlantedFaults.CheckpointAfterItsOwnRecords()),
        Arguments.of(Style.MODIFIED, new PlantedFaults.AwaitsDroppedRecords()),
        Arguments.of(Style.FULL, new PlantedFaults.PausedIsDropped()),
        Arguments.of(Style.MODIFIED, new PlantedFaults.LocalClock()),
        Arguments.of(Style.FULL, new PlantedFaults.OldStates()),
        Arguments.of(Style.FULL, new PlantedFaults.FinalStates()),
        Arguments.of(Style.MODIFIED, new PlantedFaults.ForgetsByTime()),
        Arguments.of(Style.MODIFIED, new PlantedFaults.StaleReconciliationWins()),
        Arguments.of(Style.FULL, new PlantedFaults.DeadLetterIsGone()),
        Arguments.of(Style.PAGES, new PlantedFaults.FirstTwinWins()),
        Arguments.of(Style.FULL, new PlantedFaults.AlarmOutlivesItsCause()),
        Arguments.of(Style.PAGES, new PlantedFaults.RefusalIsTheEnd()),
        Arguments.of(Style.MODIFIED, new PlantedFaults.DamageIsBelieved()),
        Arguments.of(Style.FULL, new PlantedFaults.OvertakingRecords()),
        Arguments.of(Style.FULL, new PlantedFaults.TruncatedIsWhole()),
        Arguments.of(Style.FULL, new PlantedFaults.BytesCollide()),
        Arguments.of(Style.MODIFIED, new PlantedFaults.LostIsEmpty()));
  }

  @ParameterizedTest
  @MethodSource("faults")
  void findsPlantedFault(Style style, Wiring planted) {
    assertThat(
            Stream.iterate(1L, seed -> seed + 1)
                .limit(ENOUGH)
                .flatMap(seed -> Stream.of(true, false).map(eos -> History.of(seed, style, eos)))
                .filter(history -> history.run(planted) != null)
                .findFirst())
        .as(planted.getClass().getSimpleName() + " breaks the law of " + style)
        .isPresent();
  }

  static Stream<Arguments> faultsInTime() {
    return Stream.of(
        Arguments.of(Style.MODIFIED, false, new PlantedFaults.PlanningIsSending()),
        Arguments.of(Style.DATE_RANGE, false, new PlantedFaults.PlanningIsSending()),
        Arguments.of(Style.FULL, false, new PlantedFaults.HoldCountsAsMiss()),
        Arguments.of(Style.MODIFIED, false, new PlantedFaults.AlarmWithoutEnd()),
        Arguments.of(Style.FULL, true, new PlantedFaults.RefusedResourceIsRefusedKey()),
        Arguments.of(Style.FULL, false, new PlantedFaults.OtherStoreForEver()),
        Arguments.of(Style.PAGES, false, new PlantedFaults.NameIsBelieved()),
        Arguments.of(Style.MODIFIED, false, new PlantedFaults.NoRoomIsFresh()),
        Arguments.of(Style.DATE_RANGE, false, new PlantedFaults.DeadLettersStay()),
        Arguments.of(Style.CURSOR, false, new PlantedFaults.NumbersByPlace()),
        Arguments.of(Style.FULL, false, new PlantedFaults.EmptyListForgetsDeadLetters()));
  }

  @ParameterizedTest
  @MethodSource("faultsInTime")
  void findsPlantedFaultInTime(Style style, boolean two, Wiring planted) {
    assertThat(
            LongStream.rangeClosed(1, ENOUGH)
                .mapToObj(seed -> History.of(seed, new LivenessLawTest.Liveness(style, two)))
                .filter(history -> history.run(planted) != null)
                .findFirst())
        .as(planted.getClass().getSimpleName() + " breaks the law of " + style)
        .isPresent();
  }
}
