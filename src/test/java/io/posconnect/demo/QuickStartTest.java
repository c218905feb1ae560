package io.posconnect.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.demo.QuickStart.Options;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class QuickStartTest {

  @Test
  void hasNoLimitUnlessGivenOne() {
    assertThat(Options.parse().limit).isEmpty();
    assertThat(Options.parse("--for", "90s").limit).contains(Duration.ofSeconds(90));
    assertThat(Options.parse("--colour", "--for", "5m").limit).contains(Duration.ofMinutes(5));
  }

  @Test
  void refusesUnknownOptionsWithASentence() {
    assertThatThrownBy(() -> Options.parse("--for", "soon")).hasMessageContaining("60s or 5m");
    assertThatThrownBy(() -> Options.parse("--for")).hasMessageContaining("--for");
    assertThatThrownBy(() -> Options.parse("--fast")).hasMessageContaining("--fast");
  }
}
