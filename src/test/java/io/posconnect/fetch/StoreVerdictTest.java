package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What one stream's comparison of rows means for the other streams of its location. */
class StoreVerdictTest {

  private static final String NAME = "a name";

  private static final long HOUR = TimeUnit.HOURS.toNanos(1);

  private final LocationIdentity identity = new LocationIdentity(Setup.WHOAMI);

  @Test
  void streamWithFewKeysFollowsVerdictUntilTheNextOne() {
    identity.judged(NAME, false, 0);
    identity.invalidate();
    assertThat(identity.verdict(NAME, false, HOUR)).contains(false);
    assertThat(identity.verdict(NAME, true, HOUR)).as("it compares again").isEmpty();
    assertThat(identity.verdict(NAME, false, HOUR + 1)).as("after an hour").isEmpty();
    assertThat(identity.verdict("another", false, HOUR)).isEmpty();
    identity.judged(NAME, true, 0);
    identity.invalidate();
    assertThat(identity.verdict(NAME, false, HOUR)).contains(true);
    assertThat(identity.verdict(NAME, true, HOUR)).contains(true);
  }
}
