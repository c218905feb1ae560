package io.posconnect;

import java.util.Locale;
import java.util.ResourceBundle;

/** The connector's version, which the build writes beside this class. */
public final class Version {

  public static final String TEXT =
      ResourceBundle.getBundle("io.posconnect.version", Locale.ROOT).getString("version");

  private Version() {}
}
