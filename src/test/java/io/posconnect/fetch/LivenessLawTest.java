package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.fail;

import io.posconnect.fetch.Setup.Style;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * After any history of changes, faults and restarts, what must happen happens within a bound that
 * the history computes, and while faults last nothing else suffers. See {@link LivenessWorld} for
 * the law and its steps, {@link LivenessSetup} for what varies, and docs/crash-law.md.
 *
 * <p>Every build runs 200 of each kind, 2 400 in all; {@code -Dlaw.histories=20000} runs more of
 * them, {@code -Dlaw.seed=…} others; a failure prints the shortest history found, with its seed.
 */
@ExtendWith(Quiet.class)
class LivenessLawTest {

  private static final int HISTORIES = Integer.getInteger("law.histories", 200);
  private static final long FIRST = Long.getLong("law.seed", 1);

  /** The law for one retrieval. */
  record Liveness(Style style, boolean two) implements History.Law {
    @Override
    public int shortest() {
      return 3;
    }

    @Override
    public int longest() {
      return 9;
    }

    @Override
    public History.Life begin(long seed, Wiring wiring, List<String> trace) {
      return new LivenessWorld(new LivenessSetup(seed, style, two), wiring, seed, trace);
    }

    @Override
    public String describe(long seed) {
      return new LivenessSetup(seed, style, two).toString();
    }
  }

  @ParameterizedTest
  @EnumSource
  void holdsOfOneStream(Style style) {
    hold(new Liveness(style, false));
  }

  @ParameterizedTest
  @EnumSource
  void holdsOfTwoStreamsOfALocation(Style style) {
    hold(new Liveness(style, true));
  }

  private static void hold(History.Law law) {
    Wiring wiring = new Wiring();
    LongStream.range(FIRST, FIRST + HISTORIES)
        .parallel()
        .mapToObj(seed -> History.of(seed, law))
        .filter(history -> history.run(wiring) != null)
        .findFirst()
        .ifPresent(broken -> fail(broken.shrunk(wiring).describe(wiring)));
  }
}
