package io.posconnect.client;

import static io.posconnect.client.RawServer.json;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.Messages;
import io.posconnect.client.ApiException.Unavailable;
import io.posconnect.json.BodyLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.stream.Stream;
import javax.crypto.Cipher;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLServerSocket;
import javax.net.ssl.TrustManagerFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Timeout(60)
class TlsTest {

  private static final String PASSWORD = "changeit";
  private static final String SCHEME = "PBEWithHmacSHA256AndAES_256";

  @TempDir private static Path folder;

  @BeforeAll
  static void makeStores() throws Exception {
    identity("server", "san=ip:127.0.0.1,dns:localhost");
    identity("stranger", "san=dns:stranger.example");
    identity("client", "san=dns:client.example");
    keytool(
        "-importkeystore",
        "-srckeystore",
        file("client.p12"),
        "-srcstorepass",
        PASSWORD,
        "-destkeystore",
        file("client.jks"),
        "-deststoretype",
        "JKS",
        "-deststorepass",
        PASSWORD);
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        "ca",
        "-file",
        file("server.pem"),
        "-keystore",
        file("trust.p12"),
        "-storetype",
        "PKCS12",
        "-storepass",
        PASSWORD);
    keytool(
        "-importcert",
        "-noprompt",
        "-alias",
        "ca",
        "-file",
        file("server.pem"),
        "-keystore",
        file("trust.jks"),
        "-storetype",
        "JKS",
        "-storepass",
        PASSWORD);
    KeyStore client = load("client.p12");
    byte[] key = client.getKey("client", PASSWORD.toCharArray()).getEncoded();
    String certificate = Files.readString(folder.resolve("client.pem"));
    Files.writeString(folder.resolve("client-key.pem"), certificate + pem("PRIVATE KEY", key));
    Files.writeString(
        folder.resolve("client-locked.pem"),
        pem("ENCRYPTED PRIVATE KEY", locked(key)) + certificate);
    Files.writeString(
        folder.resolve("old.pem"), certificate + pem("RSA PRIVATE KEY", new byte[] {1, 2}));
    Files.writeString(folder.resolve("empty.pem"), "nothing");
  }

  private static void identity(String name, String names) throws Exception {
    keytool(
        "-genkeypair",
        "-alias",
        name,
        "-keyalg",
        "EC",
        "-groupname",
        "secp256r1",
        "-dname",
        "CN=" + name,
        "-ext",
        names,
        "-validity",
        "2",
        "-keystore",
        file(name + ".p12"),
        "-storetype",
        "PKCS12",
        "-storepass",
        PASSWORD);
    keytool(
        "-exportcert",
        "-rfc",
        "-alias",
        name,
        "-file",
        file(name + ".pem"),
        "-keystore",
        file(name + ".p12"),
        "-storepass",
        PASSWORD);
  }

  private static void keytool(String... arguments) throws IOException, InterruptedException {
    String tool = Path.of(System.getProperty("java.home"), "bin", "keytool").toString();
    Path log = folder.resolve("keytool.txt");
    Process process =
        new ProcessBuilder(Stream.concat(Stream.of(tool), Stream.of(arguments)).toList())
            .redirectErrorStream(true)
            .redirectOutput(log.toFile())
            .start();
    assertThat(process.waitFor()).as(Files.readString(log)).isZero();
  }

  private static byte[] locked(byte[] key) throws GeneralSecurityException, IOException {
    Cipher cipher = Cipher.getInstance(SCHEME);
    cipher.init(
        Cipher.ENCRYPT_MODE,
        SecretKeyFactory.getInstance(SCHEME)
            .generateSecret(new PBEKeySpec(PASSWORD.toCharArray())));
    byte[] pbes2 = HexFormat.of().parseHex("06092a864886f70d01050d");
    byte[] scheme = der(0x30, pbes2, cipher.getParameters().getEncoded());
    return der(0x30, scheme, der(0x04, cipher.doFinal(key)));
  }

  /** One DER value of up to 64 KiB. */
  private static byte[] der(int tag, byte[]... parts) throws IOException {
    ByteArrayOutputStream content = new ByteArrayOutputStream();
    for (byte[] part : parts) {
      content.write(part);
    }
    ByteArrayOutputStream value = new ByteArrayOutputStream();
    value.write(tag);
    value.write(0x82);
    value.write(content.size() >> 8);
    value.write(content.size());
    content.writeTo(value);
    return value.toByteArray();
  }

  private static String pem(String what, byte[] content) {
    String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(content);
    return "-----BEGIN " + what + "-----\n" + text + "\n-----END " + what + "-----\n";
  }

  static List<StoreFile> trust() {
    return List.of(
        new StoreFile(file("trust.p12"), PASSWORD, StoreFile.Type.PKCS12),
        new StoreFile(file("trust.jks"), PASSWORD, StoreFile.Type.JKS),
        new StoreFile(file("server.pem"), "", StoreFile.Type.PEM));
  }

  static List<StoreFile> identities() {
    return List.of(
        new StoreFile(file("client.p12"), PASSWORD, StoreFile.Type.PKCS12),
        new StoreFile(file("client.jks"), PASSWORD, StoreFile.Type.JKS),
        new StoreFile(file("client-key.pem"), "", StoreFile.Type.PEM),
        new StoreFile(file("client-locked.pem"), PASSWORD, StoreFile.Type.PEM));
  }

  @ParameterizedTest
  @MethodSource("trust")
  void trustsWhomTheTrustStoreHolds(StoreFile trust) throws Exception {
    try (RawServer server = server("server", false);
        ApiClient client = client(server, trust, StoreFile.NONE)) {
      assertThat(Clients.read(client)).containsExactly("{}");
    }
  }

  @Test
  void trustsNobodyElseAndNamesTheRemedy() throws Exception {
    try (RawServer server = server("server", false);
        ApiClient client = client(server, StoreFile.NONE, StoreFile.NONE)) {
      assertThatThrownBy(() -> Clients.read(client))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("no TLS with 127.0.0.1:" + server.port())
          .hasMessageContaining("set ssl.truststore.location");
      assertThat(server.heads()).isEmpty();
    }
  }

  @Test
  void refusesACertificateOfAnotherHost() throws Exception {
    StoreFile trust = new StoreFile(file("stranger.pem"), "", StoreFile.Type.PEM);
    try (RawServer server = server("stranger", false);
        ApiClient client = client(server, trust, StoreFile.NONE)) {
      assertThatThrownBy(() -> Clients.read(client))
          .isInstanceOf(Unavailable.class)
          .hasMessageContaining("is another host's; set ssl.truststore.location");
      assertThat(server.heads()).isEmpty();
    }
  }

  @ParameterizedTest
  @MethodSource("identities")
  void showsItsOwnCertificate(StoreFile identity) throws Exception {
    try (RawServer server = server("server", true);
        ApiClient client = client(server, trust().get(0), identity)) {
      assertThat(Clients.read(client)).containsExactly("{}");
    }
  }

  @Test
  void withoutACertificateTheServiceMayRefuse() throws Exception {
    try (RawServer server = server("server", true);
        ApiClient client = client(server, trust().get(0), StoreFile.NONE)) {
      assertThatThrownBy(() -> Clients.read(client)).isInstanceOf(Unavailable.class);
      assertThat(server.heads()).isEmpty();
    }
  }

  @Test
  void namesAStoreThatCannotBeUsedAtOnce() {
    assertUnusable(new StoreFile(file("none.p12"), PASSWORD, StoreFile.Type.PKCS12), "none.p12");
    assertUnusable(new StoreFile(file("trust.p12"), "wr0ng", StoreFile.Type.PKCS12), "trust.p12");
    assertUnusable(new StoreFile(file("server.pem"), PASSWORD, StoreFile.Type.JKS), "server.pem");
    assertUnusable(
        new StoreFile(file("empty.pem"), "", StoreFile.Type.PEM), "empty.pem holds no certificate");
    assertUnusable(
        new StoreFile(file("old.pem"), "", StoreFile.Type.PEM), "convert the key to PKCS #8");
  }

  private static void assertUnusable(StoreFile trust, String message) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tls.of(trust, StoreFile.NONE))
        .withMessageStartingWith("trust store ")
        .satisfies(refusal -> Messages.assertExplained(refusal.getMessage()))
        .withMessageContaining(message)
        .withMessageNotContaining("wr0ng");
  }

  @Test
  void namesAKeyStoreWhosePasswordIsWrong() {
    StoreFile locked = new StoreFile(file("client-locked.pem"), "wr0ng", StoreFile.Type.PEM);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Tls.of(StoreFile.NONE, locked))
        .withMessageStartingWith("key store ")
        .withMessageNotContaining("wr0ng");
  }

  private static HttpApiClient client(RawServer server, StoreFile trust, StoreFile key) {
    return Clients.to(
        server.url(), Timeouts.DEFAULT, BodyLimits.DEFAULT, ProxyServer.NONE, trust, key);
  }

  private static RawServer server(String identity, boolean askForCertificate) throws Exception {
    KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
    keys.init(load(identity + ".p12"), PASSWORD.toCharArray());
    TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
    trust.init(Pem.read(Files.readString(folder.resolve("client.pem")), ""));
    SSLContext context = SSLContext.getInstance("TLS");
    context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
    SSLServerSocket socket =
        (SSLServerSocket)
            context
                .getServerSocketFactory()
                .createServerSocket(0, 50, InetAddress.getLoopbackAddress());
    socket.setNeedClientAuth(askForCertificate);
    return new RawServer(socket, head -> json("[{}]"));
  }

  private static KeyStore load(String name) throws Exception {
    return KeyStore.getInstance(folder.resolve(name).toFile(), PASSWORD.toCharArray());
  }

  private static String file(String name) {
    return folder.resolve(name).toString();
  }
}
