package io.posconnect.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.Io;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Certificates;
import io.posconnect.hostile.HostileService;
import io.posconnect.problem.Problem;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import okhttp3.OkHttpClient;
import okhttp3.Request;
import okhttp3.Response;
import okhttp3.tls.HeldCertificate;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class TlsTest {

  private static final String PASSWORD = "changeit";
  private static final String SCHEME = "PBEWithSHA1AndDESede";

  private static final HeldCertificate SERVER =
      Certificates.held("server", "127.0.0.1", "localhost");
  private static final HeldCertificate STRANGER = Certificates.held("stranger", "stranger.example");
  private static final HeldCertificate CLIENT = Certificates.held("client", "client.example");

  @TempDir private static Path folder;

  @BeforeAll
  static void makeStores() throws Exception {
    Certificates.saveKey(CLIENT, folder.resolve("client.p12"), "PKCS12", PASSWORD);
    Certificates.saveKey(CLIENT, folder.resolve("client.jks"), "JKS", PASSWORD);
    Certificates.saveTrust(SERVER, folder.resolve("trust.p12"), "PKCS12", PASSWORD);
    Certificates.saveTrust(SERVER, folder.resolve("trust.jks"), "JKS", PASSWORD);
    Certificates.save(Certificates.empty("PKCS12"), folder.resolve("empty.p12"), PASSWORD);
    Files.writeString(folder.resolve("server.pem"), SERVER.certificatePem());
    Files.writeString(folder.resolve("stranger.pem"), STRANGER.certificatePem());
    byte[] key = CLIENT.keyPair().getPrivate().getEncoded();
    String certificate = CLIENT.certificatePem();
    Files.writeString(folder.resolve("client.pem"), certificate);
    Files.writeString(folder.resolve("client-key.pem"), certificate + CLIENT.privateKeyPkcs8Pem());
    Files.writeString(
        folder.resolve("client-locked.pem"),
        pem("ENCRYPTED PRIVATE KEY", locked(key)) + certificate);
    Files.writeString(
        folder.resolve("old.pem"), certificate + pem("RSA PRIVATE KEY", new byte[] {1, 2}));
    Files.writeString(folder.resolve("empty.pem"), "nothing");
  }

  private static byte[] locked(byte[] key) throws GeneralSecurityException, IOException {
    Cipher cipher = Cipher.getInstance(SCHEME);
    cipher.init(
        Cipher.ENCRYPT_MODE,
        SecretKeyFactory.getInstance(SCHEME)
            .generateSecret(new PBEKeySpec(PASSWORD.toCharArray())));
    return new EncryptedPrivateKeyInfo(cipher.getParameters(), cipher.doFinal(key)).getEncoded();
  }

  private static String pem(String what, byte[] content) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
  }

  static List<Map<String, String>> trust() {
    return List.of(
        file("truststore", "trust.p12", "PKCS12", PASSWORD),
        file("truststore", "trust.jks", "JKS", PASSWORD),
        Map.of("ssl.truststore.location", file("server.pem"), "ssl.truststore.type", "PEM"),
        Map.of("ssl.truststore.certificates", text("server.pem"), "ssl.truststore.type", "PEM"));
  }

  static List<Map<String, String>> identities() {
    return List.of(
        file("keystore", "client.p12", "PKCS12", PASSWORD),
        file("keystore", "client.jks", "JKS", PASSWORD),
        Map.of("ssl.keystore.location", file("client-key.pem"), "ssl.keystore.type", "PEM"),
        lockedKey(PASSWORD),
        Map.of(
            "ssl.keystore.key",
            text("client-key.pem"),
            "ssl.keystore.certificate.chain",
            text("client.pem"),
            "ssl.keystore.type",
            "PEM"));
  }

  private static Map<String, String> file(String store, String name, String type, String password) {
    return Map.of(
        "ssl." + store + ".location", file(name),
        "ssl." + store + ".type", type,
        "ssl." + store + ".password", password);
  }

  private static Map<String, String> lockedKey(String password) {
    return Map.of(
        "ssl.keystore.location",
        file("client-locked.pem"),
        "ssl.keystore.type",
        "PEM",
        "ssl.key.password",
        password);
  }

  /** Reads from a service, and returns the protocol and the cipher suite of it. */
  private static String reads(boolean askForCertificate, Map<String, String> ssl) throws Exception {
    try (HostileService server = server(SERVER, askForCertificate);
        ApiClient client = client(server, ssl)) {
      assertThat(Clients.read(client)).containsExactly("{}");
      return server.call().tls();
    }
  }

  @ParameterizedTest
  @MethodSource("trust")
  void trustsCertificatesOfTheTrustStore(Map<String, String> trust) throws Exception {
    assertThat(reads(false, trust)).startsWith("TLSv1.");
  }

  @Test
  void refusesOtherCertificatesWithARemedy() throws Exception {
    try (HostileService server = server(SERVER, false);
        ApiClient client = client(server, Map.of())) {
      assertThatThrownBy(() -> Clients.read(client))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("no TLS with " + server.baseUrl().getAuthority())
          .hasMessageContaining(". Set ssl.truststore.location");
      assertThat(server.calls()).isEmpty();
    }
  }

  @Test
  void refusesAnotherHostsCertificateWhateverIsSet() throws Exception {
    Map<String, String> trust = new HashMap<>(trust().get(2));
    trust.put("ssl.truststore.location", file("stranger.pem"));
    for (String algorithm : List.of("https", "")) {
      trust.put("ssl.endpoint.identification.algorithm", algorithm);
      try (HostileService server = server(STRANGER, false);
          ApiClient client = client(server, trust)) {
        assertThatThrownBy(() -> Clients.read(client))
            .isInstanceOf(Unavailable.class)
            .hasMessageContaining("is another host's. Set ssl.truststore.location");
        assertThat(server.calls()).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @MethodSource("identities")
  void presentsItsOwnCertificate(Map<String, String> identity) throws Exception {
    assertThat(reads(true, both(trust().get(0), identity))).startsWith("TLSv1.");
  }

  @Test
  void reportsARefusalWithoutItsOwnCertificate() throws Exception {
    try (HostileService server = server(SERVER, true);
        ApiClient client = client(server, trust().get(0))) {
      assertThatThrownBy(() -> Clients.read(client)).isInstanceOf(Unavailable.class);
      assertThat(server.calls()).isEmpty();
    }
  }

  @Test
  void usesOnlyEnabledProtocolsAndCipherSuites() throws Exception {
    String suite = "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384";
    Map<String, String> enabled =
        Map.of("ssl.enabled.protocols", "TLSv1.2", "ssl.cipher.suites", suite);
    assertThat(reads(false, both(trust().get(0), enabled))).isEqualTo("TLSv1.2 " + suite);
  }

  /** The library by itself would offer fewer; some servers have none of those. */
  @Test
  void usesEachCipherSuiteOfThePlatformByDefault() throws Exception {
    String suite = "TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384";
    try (HostileService server = server(SERVER, false);
        ApiClient client = client(server, trust().get(0))) {
      server.demandCipherSuite(suite);
      assertThat(Clients.read(client)).containsExactly("{}");
      assertThat(server.call().tls()).isEqualTo("TLSv1.2 " + suite);
    }
  }

  @Test
  void usesNoLaterProtocolThanTheContext() throws Exception {
    Map<String, String> earlier = Map.of("ssl.protocol", "TLSv1.2");
    assertThat(reads(false, both(trust().get(0), earlier))).startsWith("TLSv1.2 ");
  }

  @Test
  void refusesProtocolsThatTheContextLacks() {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> open(Map.of("ssl.protocol", "TLSv1.2", "ssl.enabled.protocols", "TLSv1.3")))
        .withMessageStartingWith("POS-101 ssl.enabled.protocols: TLSv1.3 is not");
  }

  private static OkHttpClient client(Map<String, String> ssl) {
    OkHttpClient.Builder client = new OkHttpClient.Builder();
    new Tls(Clients.connection(URI.create("https://127.0.0.1"), ssl).ssl()).apply(client);
    return client.build();
  }

  private static int get(OkHttpClient client, HostileService server) throws IOException {
    Request request = new Request.Builder().url(server.baseUrl() + "/").build();
    try (Response response = client.newCall(request).execute()) {
      return response.code();
    }
  }

  @Test
  void boundsTheSessionCache() throws Exception {
    AtomicInteger kept = new AtomicInteger();
    OkHttpClient client =
        client(trust().get(0))
            .newBuilder()
            .hostnameVerifier(
                (host, session) -> {
                  kept.set(session.getSessionContext().getSessionCacheSize());
                  return true;
                })
            .build();
    try (HostileService server = server(SERVER, false)) {
      get(client, server);
    }
    assertThat(kept.get()).isBetween(1, 1_024);
  }

  @Test
  void clientsThatShareConnectionsOpenStoresOnce() throws Exception {
    Path store = Files.copy(folder.resolve("trust.p12"), folder.resolve("once.p12"));
    Map<String, String> ssl = file("truststore", "once.p12", "PKCS12", PASSWORD);
    Transports shared = new Transports();
    client("http://localhost:1", ssl, shared).close();
    client("https://a.example", ssl, shared).close();
    Files.delete(store);

    assertThatCode(() -> client("https://b.example", ssl, shared).close())
        .doesNotThrowAnyException();
  }

  private static HttpApiClient client(String url, Map<String, String> ssl, Transports shared) {
    return new HttpApiClient(
        Clients.connection(URI.create(url), ssl), () -> Clients.CREDENTIALS, shared);
  }

  @Test
  void refusesAnUnusableTrustStoreAtOnce() {
    String trust = "ssl.truststore.location";
    assertUnusable(trust, file("truststore", "none.p12", "PKCS12", PASSWORD), "none.p12");
    assertUnusable(trust, file("truststore", "trust.p12", "PKCS12", "wr0ng"), "trust.p12");
    assertUnusable(trust, file("truststore", "server.pem", "JKS", PASSWORD), "server.pem");
    assertUnusable(trust, file("truststore", "trust.p12", "BKS", PASSWORD), "of type BKS");
    assertUnusable(
        trust,
        Map.of("ssl.truststore.type", "PEM", trust, file("empty.pem")),
        "No matching CERTIFICATE entries");
    assertUnusable(
        trust, file("truststore", "empty.p12", "PKCS12", PASSWORD), "holds no certificate");
    assertUnusable(
        "ssl.truststore.password", Map.of("ssl.truststore.password", "wr0ng"), "not specified");
  }

  @Test
  void refusesAnUnusableKeyStoreAtOnce() {
    String key = "ssl.keystore.location";
    assertUnusable(key, file("keystore", "none.p12", "PKCS12", PASSWORD), "none.p12");
    assertUnusable(key, file("keystore", "client.p12", "PKCS12", "wr0ng"), "client.p12");
    assertUnusable(
        key, both(trust().get(0), file("keystore", "client.jks", "JKS", "wr0ng")), "client.jks");
    assertUnusable(
        key,
        both(file("keystore", "client.jks", "JKS", PASSWORD), Map.of("ssl.key.password", "wr0ng")),
        "its key cannot be opened");
    assertUnusable(
        key, Map.of("ssl.keystore.type", "PEM", key, file("old.pem")), "Private key could not be");
    assertUnusable(key, lockedKey("wr0ng"), "");
    assertUnusable(
        "ssl.keystore.key",
        Map.of("ssl.keystore.type", "PEM", "ssl.keystore.key", text("client-key.pem")),
        "certificate chain is not specified");
  }

  @Test
  void refusesAlgorithmsThatTheWorkerLacks() {
    assertRefused("POS-101 ssl.enabled.protocols: SSLv2 is not", "ssl.enabled.protocols", "SSLv2");
    assertRefused("POS-101 ssl.cipher.suites: ROT13 is not", "ssl.cipher.suites", "ROT13");
    assertRefused("POS-101 ssl.trustmanager.algorithm: ", "ssl.trustmanager.algorithm", "x");
    assertRefused("POS-101 ssl.protocol: ", "ssl.protocol", "x");
  }

  private static void assertRefused(String beginning, String setting, String value) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(Map.of(setting, value)))
        .withMessageStartingWith(beginning);
  }

  private static void assertUnusable(String setting, Map<String, String> ssl, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> open(ssl))
        .withMessageStartingWith("POS-110 " + setting + ": ")
        .withMessageContaining(message)
        .withMessageEndingWith(". " + Problem.UNREADABLE_FILE.remedy())
        .withMessageNotContainingAny("wr0ng", PASSWORD, "BEGIN")
        .withNoCause();
  }

  private static void open(Map<String, String> ssl) {
    Clients.to(URI.create("https://pos.example"), ssl).close();
  }

  private static Map<String, String> both(Map<String, String> one, Map<String, String> other) {
    Map<String, String> both = new HashMap<>(one);
    both.putAll(other);
    return both;
  }

  private static HttpApiClient client(HostileService server, Map<String, String> ssl) {
    return Clients.to(server.baseUrl(), ssl);
  }

  private static HostileService server(HeldCertificate identity, boolean askForCertificate)
      throws Exception {
    HostileService server =
        HostileService.start(Certificates.context(identity, CLIENT), call -> Answer.json("[{}]"));
    if (askForCertificate) {
      server.demandCertificates();
    }
    return server;
  }

  private static String file(String name) {
    return folder.resolve(name).toString();
  }

  private static String text(String name) {
    return Io.unchecked(() -> Files.readString(folder.resolve(name)));
  }
}
