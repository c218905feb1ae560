package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What one stream's comparison of rows means for the other streams of its location. */
class StoreVerdictTest {

  private static final String NAME = "a name";

  private final LocationIdentity identity = new LocationIdentity(Setup.WHOAMI);

  @Test
  void streamWithFewKeysFollowsVerdictUntilTheNextOne() {
    identity.judged(NAME, false);
    identity.invalidate();
    assertThat(identity.verdict(NAME, false)).contains(false);
    assertThat(identity.verdict(NAME, true)).as("it compares again").isEmpty();
    assertThat(identity.verdict("another", false)).isEmpty();
    identity.judged(NAME, true);
    identity.invalidate();
    assertThat(identity.verdict(NAME, false)).contains(true);
    assertThat(identity.verdict(NAME, true)).contains(true);
  }
}
