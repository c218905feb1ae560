package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.resource.Key;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class FingerprintsTest {

  private static final Key ONE = Key.of(1);

  @Test
  void aContentOfAKeyIsNewsOnce() {
    Fingerprints fingerprints = new Fingerprints(100, new SplittableRandom(1));

    assertThat(fingerprints.add(ONE, 10)).isTrue();
    assertThat(fingerprints.add(ONE, 10)).isFalse();
    assertThat(fingerprints.add(ONE, 11)).isTrue();
    assertThat(fingerprints.add(Key.of(2), 10)).isTrue();
    assertThat(fingerprints.add(Key.of("1"), 10)).isTrue();
    assertThat(fingerprints.add(Key.of("1"), 10)).isFalse();
    assertThat(fingerprints.add(ONE, 10)).isFalse();
  }

  @Test
  void whatFindsNoRoomIsAlwaysNews() {
    Fingerprints fingerprints = new Fingerprints(1, new SplittableRandom(1));
    fingerprints.add(ONE, 10);

    assertThat(fingerprints.add(ONE, 11)).isTrue();
    assertThat(fingerprints.add(ONE, 11)).isTrue();
    assertThat(fingerprints.add(ONE, 10)).isFalse();
  }
}
