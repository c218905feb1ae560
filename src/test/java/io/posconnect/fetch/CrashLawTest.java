package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.fetch.History.CrashLaw;
import io.posconnect.fetch.Setup.Style;
import io.posconnect.resource.Retrieval;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * After any history of changes, faults, crashes and restarts, the topic agrees with the service:
 * exactly once, or at least once with the exceptions of docs/guarantees.md. See {@link Oracle} for
 * the law, {@link History} for the steps, {@link Setup} for what varies, and docs/crash-law.md.
 *
 * <p>Every build runs 100 of each kind; {@code -Dlaw.histories=10000} runs more of them, {@code
 * -Dlaw.seed=…} others; a failure prints the shortest history found, with its seed.
 */
@ExtendWith(Quiet.class)
class CrashLawTest {

  private static final int HISTORIES = Integer.getInteger("law.histories", 100);
  private static final long FIRST = Long.getLong("law.seed", 1);

  @ParameterizedTest
  @EnumSource
  void holdsExactlyOnce(Style style) {
    hold(style, true);
  }

  @ParameterizedTest
  @EnumSource
  void holdsAtLeastOnce(Style style) {
    hold(style, false);
  }

  @Test
  void triesEveryRetrieval() {
    assertThat(Style.values())
        .as("Setup.Style, which must have each way to read")
        .extracting(style -> style.retrieval().style())
        .contains(Retrieval.Style.values());
  }

  /** Returns how the first of so many histories breaks the law, from that seed on; or null. */
  static String broken(String style, long from, int histories) {
    Style of = Style.valueOf(style);
    return History.broken(from, histories, new CrashLaw(of, true), new CrashLaw(of, false));
  }

  private static void hold(Style style, boolean exactlyOnce) {
    History.hold(LongStream.range(FIRST, FIRST + HISTORIES), new CrashLaw(style, exactlyOnce));
  }
}
