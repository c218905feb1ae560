package io.posconnect.config;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;

/** Empty stores of certificates. */
final class Stores {

  private Stores() {}

  static void write(Path file, String type, String password)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance(type);
    store.load(null, null);
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password.toCharArray());
    }
  }
}
