package io.posconnect.acceptance;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A service and a client whose certificates nobody but each other knows, in files. */
final class Certificates {

  private final Path folder;
  private final String password;
  private final KeyStore service;
  private final KeyStore client;

  Certificates(Path folder, String password) throws IOException, GeneralSecurityException {
    this.folder = folder;
    this.password = password;
    service = identity("service");
    client = identity("client");
    trust("trusted", service.getCertificate("service"));
  }

  /** What the service speaks with; trusts the client alone. */
  SSLContext context() throws GeneralSecurityException, IOException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(service, password.toCharArray());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trust("clients", client.getCertificate("client")));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /** The trust store of whoever speaks with the service. */
  Path trusted() {
    return file("trusted");
  }

  /** The key store of the client. */
  Path client() {
    return file("client");
  }

  private Path file(String name) {
    return folder.resolve(name + ".p12");
  }

  private KeyStore trust(String name, java.security.cert.Certificate certificate)
      throws IOException, GeneralSecurityException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    store.setCertificateEntry(name, certificate);
    try (OutputStream out = Files.newOutputStream(file(name))) {
      store.store(out, password.toCharArray());
    }
    return store;
  }

  private KeyStore identity(String name) throws IOException, GeneralSecurityException {
    String keytool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Process process =
        new ProcessBuilder(
                keytool,
                "-genkeypair",
                "-alias",
                name,
                "-keyalg",
                "EC",
                "-dname",
                "CN=" + name,
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file(name).toString(),
                "-storepass",
                password)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    try {
      if (!process.waitFor(60, TimeUnit.SECONDS) || process.exitValue() != 0) {
        throw new IOException("keytool made no " + name);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
    KeyStore store = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file(name))) {
      store.load(in, password.toCharArray());
    }
    return store;
  }
}
