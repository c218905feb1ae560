package io.posconnect.simulator;

import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** A service and a client with a certificate each, in files; each trusts the other alone. */
public final class Certificates {

  private final Path folder;
  private final String password;

  public Certificates(Path folder, String password) throws IOException {
    this.folder = folder;
    this.password = password;
    identity("service");
    identity("client");
    trust("service", "trusted");
    trust("client", "clients");
  }

  /** The service's side. */
  public SSLContext context() throws GeneralSecurityException, IOException {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(load("service"), password.toCharArray());
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(load("clients"));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    return context;
  }

  /** The client's trust store. */
  public Path trusted() {
    return file("trusted");
  }

  /** The client's key store. */
  public Path client() {
    return file("client");
  }

  private Path file(String name) {
    return folder.resolve(name + ".p12");
  }

  private KeyStore load(String name) throws GeneralSecurityException, IOException {
    return KeyStore.getInstance(file(name).toFile(), password.toCharArray());
  }

  private void identity(String name) throws IOException {
    keytool("-genkeypair -alias %s -keyalg EC -dname CN=%s -ext san=ip:127.0.0.1", name, name);
  }

  private void trust(String name, String store) throws IOException {
    keytool("-exportcert -alias %s -file %s", name, name + ".crt");
    keytool("-importcert -noprompt -alias %s -file %s", store, name + ".crt");
  }

  /** The first name is also that of the store. */
  private void keytool(String command, String name, String other) throws IOException {
    ProcessBuilder tool = new ProcessBuilder().directory(folder.toFile());
    tool.redirectErrorStream(true).redirectOutput(ProcessBuilder.Redirect.DISCARD);
    tool.command().add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
    tool.command().addAll(List.of(command.formatted(name, other).split(" ")));
    tool.command().addAll(List.of("-keystore", name + ".p12", "-storepass", password));
    try {
      if (tool.start().waitFor() != 0) {
        throw new IOException("keytool failed: " + command.formatted(name, other));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }
}
