package io.posconnect.simulator;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Which key opens which location. Safe for several threads. */
final class ApiKeys {

  private final Map<String, SimulatedLocation> valid = new LinkedHashMap<>();
  private final Map<String, SimulatedLocation> revoked = new LinkedHashMap<>();
  private final String password;

  ApiKeys(String password) {
    this.password = password;
  }

  synchronized int count() {
    return valid.size() + revoked.size();
  }

  synchronized Optional<SimulatedLocation> find(String key) {
    return Optional.ofNullable(valid.containsKey(key) ? valid.get(key) : revoked.get(key));
  }

  synchronized void issue(String key, SimulatedLocation location) {
    valid.put(key, location);
    revoked.remove(key);
  }

  synchronized void revoke(String key) {
    revoked.put(key, taken(key));
  }

  synchronized void restore(String key) {
    SimulatedLocation location = revoked.remove(key);
    if (location == null) {
      throw new IllegalArgumentException("that key is not revoked");
    }
    valid.put(key, location);
  }

  synchronized void rotate(String key, String successor) {
    valid.put(successor, taken(key));
  }

  private SimulatedLocation taken(String key) {
    SimulatedLocation location = valid.remove(key);
    if (location == null) {
      throw new IllegalArgumentException("that key is not valid");
    }
    return location;
  }

  Optional<SimulatedLocation> opened(Request request) {
    String header = request.header("Authorization").orElse("");
    if (!header.regionMatches(true, 0, "Basic ", 0, 6)) {
      return Optional.empty();
    }
    String text;
    try {
      byte[] bytes = Base64.getDecoder().decode(header.substring(6).strip());
      text = new String(bytes, StandardCharsets.UTF_8);
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
    int colon = text.indexOf(':');
    if (colon < 0 || !text.substring(colon + 1).equals(password)) {
      return Optional.empty();
    }
    synchronized (this) {
      return Optional.ofNullable(valid.get(text.substring(0, colon)));
    }
  }
}
