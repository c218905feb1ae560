package io.posconnect.simulator;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** Which key opens which store. Safe for several threads. */
final class Keys {

  private final Map<String, Store> stores = new LinkedHashMap<>();
  private final Map<String, Store> revoked = new LinkedHashMap<>();
  private final Optional<String> password;

  Keys(Optional<String> password) {
    this.password = password;
  }

  synchronized int count() {
    return stores.size() + revoked.size();
  }

  synchronized Optional<Store> find(String key) {
    return Optional.ofNullable(stores.containsKey(key) ? stores.get(key) : revoked.get(key));
  }

  synchronized void issue(String key, Store store) {
    stores.put(key, store);
    revoked.remove(key);
  }

  synchronized void revoke(String key) {
    revoked.put(key, taken(key));
  }

  synchronized void restore(String key) {
    Store store = revoked.remove(key);
    if (store == null) {
      throw new IllegalArgumentException("that key is not revoked");
    }
    stores.put(key, store);
  }

  synchronized void rotate(String key, String successor) {
    stores.put(successor, taken(key));
  }

  private Store taken(String key) {
    Store store = stores.remove(key);
    if (store == null) {
      throw new IllegalArgumentException("that key is not valid");
    }
    return store;
  }

  /** The store that the call's credentials open. */
  Optional<Store> opened(Call call) {
    String header = call.header("Authorization").orElse("");
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
    if (colon < 0 || !text.substring(colon + 1).equals(password.orElse(""))) {
      return Optional.empty();
    }
    synchronized (this) {
      return Optional.ofNullable(stores.get(text.substring(0, colon)));
    }
  }
}
