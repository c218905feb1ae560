package io.posconnect.simulator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TlsTest {

  private static final String SECRET = "changeit";

  @TempDir Path folder;
  private KeyStore identity;

  @BeforeEach
  void makeIdentity() throws Exception {
    Path file = folder.resolve("identity.p12");
    Process keytool =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                "-genkeypair",
                "-alias",
                "service",
                "-keyalg",
                "EC",
                "-dname",
                "CN=127.0.0.1",
                "-ext",
                "san=ip:127.0.0.1",
                "-storetype",
                "PKCS12",
                "-keystore",
                file.toString(),
                "-storepass",
                SECRET)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .start();
    assertThat(keytool.waitFor(60, TimeUnit.SECONDS)).isTrue();
    identity = KeyStore.getInstance("PKCS12");
    try (InputStream in = Files.newInputStream(file)) {
      identity.load(in, SECRET.toCharArray());
    }
  }

  private SSLContext context(boolean withIdentity) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
    keys.init(identity, SECRET.toCharArray());
    KeyStore trusted = KeyStore.getInstance("PKCS12");
    trusted.load(null, null);
    trusted.setCertificateEntry("service", identity.getCertificate("service"));
    TrustManagerFactory trust =
        TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
    trust.init(trusted);
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(
        withIdentity ? keys.getKeyManagers() : new KeyManager[0], trust.getTrustManagers(), null);
    return context;
  }

  private static int status(Simulator service, SSLContext context) throws Exception {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(service.baseUrl() + Endpoint.WHOAMI))
            .header("Authorization", Client.basic(Simulator.KEY + ":"))
            .build();
    return HttpClient.newBuilder()
        .sslContext(context)
        .build()
        .send(request, HttpResponse.BodyHandlers.ofString())
        .statusCode();
  }

  @Test
  void speaksHttps() throws Exception {
    try (Simulator service = Simulator.builder().tls(context(true), false).start()) {
      service.location();
      assertThat(service.baseUrl().getScheme()).isEqualTo("https");
      assertThat(status(service, context(false))).isEqualTo(200);
    }
  }

  @Test
  void asksForTheClientsCertificateWhereConfigured() throws Exception {
    try (Simulator service = Simulator.builder().tls(context(true), true).start()) {
      service.location();
      SSLContext nobody = context(false);
      assertThat(status(service, context(true))).isEqualTo(200);
      assertThatExceptionOfType(IOException.class).isThrownBy(() -> status(service, nobody));
    }
  }
}
