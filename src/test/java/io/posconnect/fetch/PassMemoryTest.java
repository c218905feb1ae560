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

  private enum Happening {
    /** An answer lacks every key, and their deletes are held. */
    VANISH(1),
    /** An import touches every row, and an increment returns them. */
    CHANGE(34),
    /** The rows of the list are told from one another by their numbers. */
    NUMBERED(1),
    /** Every key stands twice, with two contents; half of the keys are remembered to be so. */
    TWICE(48);

    private final double mostBytes;

    Happening(double mostBytes) {
      this.mostBytes = mostBytes;
    }
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
      digest.remember(Key.of(key), 1);
      digest.image(1).acknowledged(true);
    }
    pass = new Pass(settings, digest);
  }

  private void read(Happening happening) {
    Reconciliation reconciliation = new Reconciliation(Instant.EPOCH);
    FetchKind kind = happening == Happening.CHANGE ? FetchKind.INCREMENT : FetchKind.RECONCILIATION;
    Fetch fetch = new Fetch(kind, Window.ALL, settings.resource(), reconciliation);
    pass.responseBegins(fetch, NOW);
    fetch.answered(Instant.EPOCH, Instant.EPOCH);
    for (int key = 0; key < KEYS; key++) {
      show(happening, fetch, Key.of(key));
    }
    pass.responseEnds(fetch, true);
    PassEnd end = pass.end(fetch, pass.missing(fetch), true, 0);
    assertThat(end.verdict().gone()).isEmpty();
    pass.ended(fetch, end, 0);
  }

  private void show(Happening happening, Fetch fetch, Key key) {
    switch (happening) {
      case VANISH -> {}
      case CHANGE -> rule(fetch, key, 1);
      case NUMBERED ->
          rule(fetch, pass.numbered(fetch, key, OptionalLong.of(1), n -> key, false), 1);
      case TWICE -> {
        rule(fetch, key, 1);
        rule(fetch, key, 2);
      }
    }
  }

  private void rule(Fetch fetch, Key key, long content) {
    pass.rule(fetch, key, content, Row.NOTHING);
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
