package io.posconnect.fetch;

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
 * <p>Every build runs 45 of each kind, 630 in all; {@code -Dlaw.histories=20000} runs more of them,
 * {@code -Dlaw.seed=…} others; a failure prints the shortest history found, with its seed.
 */
@ExtendWith(Quiet.class)
class LivenessLawTest {

  private static final int HISTORIES = Integer.getInteger("law.histories", 45);
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
    public History.Life begin(long seed, List<String> trace) {
      return new LivenessWorld(new LivenessSetup(seed, style, two), seed, trace);
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

  /** Returns how the first of so many histories breaks the law, from that seed on; or null. */
  static String broken(String style, boolean two, long from, int histories) {
    return History.broken(from, histories, new Liveness(Style.valueOf(style), two));
  }

  private static void hold(History.Law law) {
    History.hold(LongStream.range(FIRST, FIRST + HISTORIES).parallel(), law);
  }
}
