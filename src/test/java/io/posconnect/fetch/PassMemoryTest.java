package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.SmallHeap;
import io.posconnect.change.Digest;
import io.posconnect.fetch.ServerTime.Moment;
import io.posconnect.json.Row;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Key;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import java.time.Duration;
import java.time.Instant;
import java.util.OptionalLong;
import java.util.Scanner;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * How much of the heap a stream takes beside its digest when something happens to all of its keys
 * at once, as it may to all streams of a worker.
 */
class PassMemoryTest {

  private interface Rows {
    /** Shows the key's rows. */
    void show(Pass pass, Fetch fetch, Key key);
  }

  @SuppressWarnings("ImmutableEnumChecker") // functions without a state
  private enum Happening {
    /** An answer lacks every key, and their deletes are held. */
    VANISH(FetchKind.RECONCILIATION, 1, (pass, fetch, key) -> {}),
    /** An import touches every row, and an increment returns them. */
    CHANGE(FetchKind.INCREMENT, 34, PassMemoryTest::first),
    /** The rows of the list are told from one another by their numbers. */
    NUMBERED(
        FetchKind.RECONCILIATION,
        1,
        (pass, fetch, key) ->
            first(pass, fetch, pass.numbered(fetch, key, OptionalLong.of(1), number -> key))),
    /** Every key stands twice, with two contents; half of the keys are remembered to be so. */
    TWICE(
        FetchKind.RECONCILIATION,
        48,
        (pass, fetch, key) -> {
          first(pass, fetch, key);
          pass.rule(fetch, key, 2, Row.NOTHING, 0);
        });

    private final FetchKind kind;
    private final double mostBytes;
    private final Rows rows;

    Happening(FetchKind kind, double mostBytes, Rows rows) {
      this.kind = kind;
      this.mostBytes = mostBytes;
      this.rows = rows;
    }
  }

  private static void first(Pass pass, Fetch fetch, Key key) {
    pass.rule(fetch, key, 1, Row.NOTHING, 0);
  }

  private static final String HEAP = "256m";
  private static final int KEYS = 200_000;
  private static final Moment NOW = new Moment(0, Instant.EPOCH, Instant.EPOCH, Instant.EPOCH);

  private final StreamSettings settings =
      DrivenStream.settings(new ModifiedSince("from"), 0.5, Duration.ofHours(1));
  private final Digest digest = new Digest(Digest.Segments.DEFAULT, new SplittableRandom(1));
  private Pass pass;

  PassMemoryTest() {
    digest.tick();
    for (int key = 0; key < KEYS; key++) {
      digest.classify(Key.of(key), 1);
      digest.image(1).acknowledged(true);
    }
    pass = new Pass(settings, digest);
  }

  private void read(Happening happening) {
    Reconciliation reconciliation = new Reconciliation(Instant.EPOCH);
    Fetch fetch = new Fetch(happening.kind, Window.ALL, settings.resource(), reconciliation);
    pass.responseBegins(fetch, NOW);
    fetch.answered(Instant.EPOCH, Instant.EPOCH);
    for (int key = 0; key < KEYS; key++) {
      happening.rows.show(pass, fetch, Key.of(key));
    }
    pass.responseEnds(fetch, true);
    PassEnd end = pass.end(fetch, pass.missing(fetch, 0), true, 0);
    assertThat(end.verdict().gone()).isEmpty();
    pass.ended(fetch, end, 0);
  }

  /** Prints what it took of this process's heap. */
  public static void main(String[] args) {
    PassMemoryTest test = new PassMemoryTest();
    test.read(Happening.valueOf(args[0]));
    assertThat(test.digest.keys()).isEqualTo(KEYS);
    long full = SmallHeap.used();
    test.pass = new Pass(test.settings, test.digest);
    System.out.println(full - SmallHeap.used());
  }

  @ParameterizedTest
  @EnumSource
  void takesAFewBytesForEachKey(Happening happening) throws Exception {
    double bytes =
        new Scanner(SmallHeap.run(HEAP, PassMemoryTest.class, happening)).nextLong()
            / (double) KEYS;

    System.out.printf("%s of all keys takes %.1f bytes of heap for each%n", happening, bytes);
    assertThat(bytes).isLessThan(happening.mostBytes);
  }
}
