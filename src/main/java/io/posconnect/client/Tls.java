package io.posconnect.client;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Arrays;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/** Whom to trust, and whom to be, as two files say. */
record Tls(SSLSocketFactory sockets, X509TrustManager trust) {

  /**
   * Empty when the platform decides both.
   *
   * @throws IllegalArgumentException when a file cannot be used; names the file, not its password
   */
  static Optional<Tls> of(StoreFile trustStore, StoreFile keyStore) {
    if (trustStore.isNone() && keyStore.isNone()) {
      return Optional.empty();
    }
    try {
      X509TrustManager trust = trust(trustStore);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(keys(keyStore), new X509TrustManager[] {trust}, null);
      return Optional.of(new Tls(context.getSocketFactory(), trust));
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException("TLS cannot be set up: " + e.getMessage(), e);
    }
  }

  private static X509TrustManager trust(StoreFile file) throws GeneralSecurityException {
    TrustManagerFactory factory =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    factory.init(file.isNone() ? null : load("trust store", file));
    return Arrays.stream(factory.getTrustManagers())
        .filter(X509TrustManager.class::isInstance)
        .map(X509TrustManager.class::cast)
        .findFirst()
        .orElseThrow(() -> new GeneralSecurityException("the platform trusts nobody"));
  }

  private static KeyManager @Nullable [] keys(StoreFile file) throws GeneralSecurityException {
    if (file.isNone()) {
      return null;
    }
    KeyManagerFactory factory =
        KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    try {
      factory.init(load("key store", file), file.password().toCharArray());
    } catch (GeneralSecurityException e) {
      throw new IllegalArgumentException(
          "key store " + file.location() + ": its key cannot be opened with the password", e);
    }
    return factory.getKeyManagers();
  }

  private static KeyStore load(String what, StoreFile file) {
    KeyStore store;
    try {
      store = read(file);
      if (store.size() == 0) {
        throw new IllegalArgumentException(what + " " + file.location() + " holds no certificate");
      }
    } catch (IOException | GeneralSecurityException e) {
      throw new IllegalArgumentException(
          what
              + " "
              + file.location()
              + " cannot be read as "
              + file.type()
              + " with its password: "
              + e.getMessage(),
          e);
    }
    return store;
  }

  private static KeyStore read(StoreFile file) throws IOException, GeneralSecurityException {
    if (file.type() == StoreFile.Type.PEM) {
      return Pem.read(Files.readString(Path.of(file.location())), file.password());
    }
    KeyStore store = KeyStore.getInstance(file.type().name());
    try (InputStream in = Files.newInputStream(Path.of(file.location()))) {
      store.load(in, file.password().isEmpty() ? null : file.password().toCharArray());
    }
    return store;
  }
}
