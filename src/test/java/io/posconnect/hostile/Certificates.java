package io.posconnect.hostile;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import javax.net.ssl.SSLContext;
import okhttp3.tls.HandshakeCertificates;
import okhttp3.tls.HeldCertificate;

/** A service and a client with a certificate each; each trusts the other alone. */
public final class Certificates {

  private final HeldCertificate service = held("service", "127.0.0.1");
  private final HeldCertificate client = held("client");
  private final Path folder;

  /** Writes the client's stores into the folder. */
  public Certificates(Path folder, String password) throws GeneralSecurityException, IOException {
    this.folder = folder;
    saveKey(client, client(), "PKCS12", password);
    saveTrust(service, trusted(), "PKCS12", password);
  }

  /** The service's side. */
  public SSLContext context() {
    return context(service, client);
  }

  /** The client's trust store. */
  public Path trusted() {
    return folder.resolve("trusted.p12");
  }

  /** The client's key store. */
  public Path client() {
    return folder.resolve("client.p12");
  }

  /** A certificate that is its own authority, for hosts of these names. */
  public static HeldCertificate held(String name, String... hosts) {
    HeldCertificate.Builder certificate = new HeldCertificate.Builder().commonName(name);
    for (String host : hosts) {
      certificate.addSubjectAlternativeName(host);
    }
    return certificate.build();
  }

  public static SSLContext context(HeldCertificate own, HeldCertificate trusted) {
    return new HandshakeCertificates.Builder()
        .heldCertificate(own)
        .addTrustedCertificate(trusted.certificate())
        .build()
        .sslContext();
  }

  /** Writes a store with the certificate and its key. */
  public static void saveKey(HeldCertificate held, Path file, String type, String password)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty(type);
    Certificate[] chain = {held.certificate()};
    store.setKeyEntry("key", held.keyPair().getPrivate(), password.toCharArray(), chain);
    save(store, file, password);
  }

  /** Writes a store that trusts the certificate. */
  public static void saveTrust(HeldCertificate held, Path file, String type, String password)
      throws GeneralSecurityException, IOException {
    KeyStore store = empty(type);
    store.setCertificateEntry("ca", held.certificate());
    save(store, file, password);
  }

  public static KeyStore empty(String type) throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance(type);
    store.load(null, null);
    return store;
  }

  public static void save(KeyStore store, Path file, String password)
      throws GeneralSecurityException, IOException {
    try (OutputStream out = Files.newOutputStream(file)) {
      store.store(out, password.toCharArray());
    }
  }
}
