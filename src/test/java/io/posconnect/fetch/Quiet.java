package io.posconnect.fetch;

import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.core.config.Configurator;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** No class of ours logs while thousands of broken histories are run. */
final class Quiet implements BeforeAllCallback, AfterAllCallback {

  private static final String OURS = "io.posconnect";

  @Override
  public void beforeAll(ExtensionContext context) {
    Configurator.setLevel(OURS, Level.OFF);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Configurator.setLevel(OURS, (Level) null);
  }
}
