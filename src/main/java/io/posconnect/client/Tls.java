package io.posconnect.client;

import io.posconnect.problem.Incident;
import io.posconnect.problem.IncidentException;
import io.posconnect.problem.Problem;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.NoSuchAlgorithmException;
import java.security.NoSuchProviderException;
import java.security.UnrecoverableKeyException;
import java.util.Arrays;
import java.util.Collection;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;
import okhttp3.ConnectionSpec;
import okhttp3.OkHttpClient;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.config.SslConfigs;
import org.apache.kafka.common.security.ssl.DefaultSslEngineFactory;
import org.jspecify.annotations.Nullable;

/**
 * Applies Kafka's own {@code ssl.*} settings to the HTTP client. The one class that touches Kafka's
 * factory, which is no public API.
 */
public final class Tls {

  private static final List<String> KEY_STORE =
      List.of(
          SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG,
          SslConfigs.SSL_KEYSTORE_KEY_CONFIG,
          SslConfigs.SSL_KEYSTORE_CERTIFICATE_CHAIN_CONFIG,
          SslConfigs.SSL_KEYSTORE_PASSWORD_CONFIG);

  private static final List<String> TRUST_STORE =
      List.of(
          SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG,
          SslConfigs.SSL_TRUSTSTORE_CERTIFICATES_CONFIG,
          SslConfigs.SSL_TRUSTSTORE_PASSWORD_CONFIG);

  private static final List<String> NAMES =
      List.of(
          SslConfigs.SSL_PROVIDER_CONFIG,
          SslConfigs.SSL_PROTOCOL_CONFIG,
          SslConfigs.SSL_KEYMANAGER_ALGORITHM_CONFIG,
          SslConfigs.SSL_TRUSTMANAGER_ALGORITHM_CONFIG,
          SslConfigs.SSL_SECURE_RANDOM_IMPLEMENTATION_CONFIG);

  private static final int MOST_SESSIONS = 1_024;

  private final Map<String, Object> ssl;

  /**
   * @param ssl parsed values by Kafka's names
   */
  public Tls(Map<String, Object> ssl) {
    this.ssl = ssl;
  }

  private SSLContext context(DefaultSslEngineFactory factory) {
    try {
      factory.configure(ssl);
    } catch (KafkaException e) {
      // Not as a cause: the platform's message may show the content of a store.
      throw new IncidentException(explanation(factory, e));
    }
    return factory.sslContext();
  }

  /**
   * Applies the settings to a client: stores, protocols and cipher suites.
   *
   * @throws IllegalArgumentException when a store cannot be used or a name means nothing here;
   *     names the setting, and neither a password nor the content of a store
   */
  public void apply(OkHttpClient.Builder client) {
    try (DefaultSslEngineFactory factory = new DefaultSslEngineFactory()) {
      SSLContext context = context(factory);
      // Each connection leaves a session behind, for a day; the platform would keep 20,480.
      context.getClientSessionContext().setSessionCacheSize(MOST_SESSIONS);
      client.sslSocketFactory(context.getSocketFactory(), trust(factory.truststore()));
      client.connectionSpecs(List.of(spec(context)));
    }
  }

  private X509TrustManager trust(@Nullable KeyStore store) {
    try {
      if (store != null && store.size() == 0) {
        throw new IncidentException(
            Problem.UNREADABLE_FILE.incident(given(TRUST_STORE), "the store holds no certificate"));
      }
      TrustManagerFactory factory =
          TrustManagerFactory.getInstance(
              (String) ssl.get(SslConfigs.SSL_TRUSTMANAGER_ALGORITHM_CONFIG));
      factory.init(store);
      return Arrays.stream(factory.getTrustManagers())
          .filter(X509TrustManager.class::isInstance)
          .map(X509TrustManager.class::cast)
          .findFirst()
          .orElseThrow(() -> new GeneralSecurityException("it knows no certificates of X.509"));
    } catch (GeneralSecurityException e) {
      throw new IncidentException(
          Problem.INVALID_VALUE.incident(
              SslConfigs.SSL_TRUSTMANAGER_ALGORITHM_CONFIG, String.valueOf(e.getMessage())));
    }
  }

  private ConnectionSpec spec(SSLContext context) {
    SSLParameters used = context.getDefaultSSLParameters();
    ConnectionSpec.Builder spec =
        new ConnectionSpec.Builder(ConnectionSpec.MODERN_TLS).allEnabledCipherSuites();
    // ssl.protocol may leave some of the listed ones unused, also of those listed by default.
    String[] protocols =
        listed(
            SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG,
            context.getSupportedSSLParameters().getProtocols());
    if (protocols.length > 0) {
      if (Collections.disjoint(List.of(protocols), List.of(used.getProtocols()))) {
        throw unavailable(SslConfigs.SSL_ENABLED_PROTOCOLS_CONFIG, protocols[0]);
      }
      spec.tlsVersions(protocols);
    }
    String[] suites = listed(SslConfigs.SSL_CIPHER_SUITES_CONFIG, used.getCipherSuites());
    if (suites.length > 0) {
      spec.cipherSuites(suites);
    }
    return spec.build();
  }

  private String[] listed(String setting, String[] available) {
    if (!(ssl.get(setting) instanceof Collection<?> names)) {
      return new String[0];
    }
    String[] listed = names.stream().map(String.class::cast).toArray(String[]::new);
    for (String name : listed) {
      if (!Arrays.asList(available).contains(name)) {
        throw unavailable(setting, name);
      }
    }
    return listed;
  }

  private static IncidentException unavailable(String setting, String name) {
    return new IncidentException(
        Problem.INVALID_VALUE.incident(setting, name + " is not available on this worker"));
  }

  /** The factory reads the key store, then the trust store, then makes a context of both. */
  private Incident explanation(DefaultSslEngineFactory factory, KafkaException failure) {
    String reason = reason(failure);
    if (factory.keystore() == null && isGiven(KEY_STORE)) {
      return Problem.UNREADABLE_FILE.incident(given(KEY_STORE), reason);
    }
    if (factory.truststore() == null && isGiven(TRUST_STORE)) {
      return Problem.UNREADABLE_FILE.incident(given(TRUST_STORE), reason);
    }
    if (failure.getCause() instanceof UnrecoverableKeyException) {
      return Problem.UNREADABLE_FILE.incident(given(KEY_STORE), "its key cannot be opened");
    }
    String setting =
        NAMES.stream()
            .filter(name -> reason.contains(String.valueOf(ssl.get(name))))
            .findFirst()
            .orElse(SslConfigs.SSL_PROTOCOL_CONFIG);
    return Problem.INVALID_VALUE.incident(setting, reason);
  }

  private boolean isGiven(List<String> settings) {
    return settings.stream().anyMatch(ssl::containsKey);
  }

  private String given(List<String> settings) {
    return settings.stream().filter(ssl::containsKey).findFirst().orElseThrow();
  }

  /** Kafka's message, and of its cause the kind, or the name that the platform does not know. */
  private static String reason(KafkaException failure) {
    String words = String.valueOf(failure.getMessage());
    Throwable root = failure;
    while (root.getCause() != null) {
      root = root.getCause();
      if (root instanceof KafkaException) {
        words = String.valueOf(root.getMessage());
      }
    }
    if (root instanceof KafkaException) {
      return words;
    }
    boolean unnamed =
        root instanceof NoSuchAlgorithmException || root instanceof NoSuchProviderException;
    return words
        + " ("
        + (unnamed ? String.valueOf(root.getMessage()) : root.getClass().getSimpleName())
        + ")";
  }
}
