package io.posconnect;

import java.util.Optional;

/** The connector's version, as the build wrote it into the jar. */
final class Version {

  private static final String TEXT =
      Optional.ofNullable(Version.class.getPackage().getImplementationVersion())
          .orElse("unpackaged");

  private Version() {}

  static String text() {
    return TEXT;
  }
}
