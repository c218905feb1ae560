package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.fetch.History.CrashLaw;
import io.posconnect.fetch.History.Law;
import io.posconnect.fetch.LivenessLawTest.Liveness;
import io.posconnect.fetch.Setup.Style;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The crash law and the law of liveness find each planted fault. */
@ExtendWith(Quiet.class)
class PlantedFaultsTest {

  private static final int ENOUGH = 20_000;

  static Stream<Arguments> faults() {
    return Stream.of(
        crash(Style.MODIFIED, 1, new PlantedFaults.CheckpointAfterItsOwnRecords()),
        crash(Style.MODIFIED, 1, new PlantedFaults.AwaitsDroppedRecords()),
        crash(Style.FULL, 1, new PlantedFaults.PausedIsDropped()),
        crash(Style.MODIFIED, 1, new PlantedFaults.LocalClock()),
        crash(Style.FULL, 1, new PlantedFaults.OldStates()),
        crash(Style.FULL, 1, new PlantedFaults.FinalStates()),
        crash(Style.MODIFIED, 1, new PlantedFaults.ForgetsByTime()),
        crash(Style.MODIFIED, 1, new PlantedFaults.StaleReconciliationWins()),
        crash(Style.FULL, 1, new PlantedFaults.DeadLetterIsGone()),
        crash(Style.PAGES, 1, new PlantedFaults.FirstTwinWins()),
        crash(Style.FULL, 456, new PlantedFaults.AlarmOutlivesItsCause()),
        crash(Style.PAGES, 1, new PlantedFaults.RefusalIsTheEnd()),
        crash(Style.MODIFIED, 1, new PlantedFaults.DamageIsBelieved()),
        crash(Style.FULL, 1, new PlantedFaults.OvertakingRecords()),
        crash(Style.FULL, 1, new PlantedFaults.TruncatedIsWhole()),
        crash(Style.FULL, 1, new PlantedFaults.BytesCollide()),
        crash(Style.MODIFIED, 1230, new PlantedFaults.LostIsEmpty()),
        liveness(Style.MODIFIED, false, 1, new PlantedFaults.PlanningIsSending()),
        liveness(Style.DATE_RANGE, false, 1, new PlantedFaults.PlanningIsSending()),
        liveness(Style.FULL, false, 1, new PlantedFaults.HoldCountsAsMiss()),
        liveness(Style.MODIFIED, false, 1, new PlantedFaults.AlarmWithoutEnd()),
        liveness(Style.FULL, true, 1, new PlantedFaults.RefusedResourceIsRefusedKey()),
        liveness(Style.FULL, false, 695, new PlantedFaults.OtherStoreForEver()),
        liveness(Style.PAGES, false, 1, new PlantedFaults.NameIsBelieved()),
        liveness(Style.MODIFIED, true, 957, new PlantedFaults.NoRoomIsFresh()),
        liveness(Style.DATE_RANGE, false, 1, new PlantedFaults.DeadLettersStay()),
        liveness(Style.CURSOR, false, 1, new PlantedFaults.NumbersByPlace()),
        liveness(Style.FULL, false, 402, new PlantedFaults.EmptyListForgetsDeadLetters()));
  }

  private static Arguments crash(Style style, long from, Wiring planted) {
    List<Law> laws = List.of(new CrashLaw(style, true), new CrashLaw(style, false));
    return Arguments.of(laws, from, planted);
  }

  private static Arguments liveness(Style style, boolean two, long from, Wiring planted) {
    return Arguments.of(List.of(new Liveness(style, two)), from, planted);
  }

  /**
   * @param from the first seed to try: close before one that finds it, where few do
   */
  @ParameterizedTest(name = "{2}, {0}")
  @MethodSource("faults")
  void findsPlantedFault(List<Law> laws, long from, Wiring planted) {
    assertThat(
            LongStream.range(from, from + ENOUGH)
                .boxed()
                .flatMap(seed -> laws.stream().map(law -> History.of(seed, law)))
                .filter(history -> history.run(planted) != null)
                .findFirst())
        .as(planted + " breaks " + laws)
        .hasValueSatisfying(history -> System.out.println(planted + ": seed " + history.seed()));
  }
}
