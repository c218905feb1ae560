package io.posconnect;

import io.posconnect.client.ApiClient;
import io.posconnect.config.LocationSettings;
import io.posconnect.config.SourceConfig;

/** Makes the client of a location: the one line that knows which client that is. */
final class Connections {

  private Connections() {}

  @SuppressWarnings("DoNotCallSuggester")
  static ApiClient connect(SourceConfig config, LocationSettings location) {
    throw new UnsupportedOperationException("no client for " + location.name());
  }
}
