package io.posconnect.config;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Whether the stores of certificates and keys can be opened. */
final class StoreChecks {

  private StoreChecks() {}

  static List<Fault> faults(SourceConfig config) {
    List<Fault> faults = new ArrayList<>();
    fault(
            config.trustStore(),
            ServiceSettings.TRUST_STORE,
            ServiceSettings.TRUST_STORE_PASSWORD,
            config)
        .ifPresent(faults::add);
    fault(config.keyStore(), ServiceSettings.KEY_STORE, ServiceSettings.KEY_STORE_PASSWORD, config)
        .ifPresent(faults::add);
    return faults;
  }

  private static Optional<Fault> fault(
      Optional<StoreSettings> store, Setting<?> file, Setting<?> password, SourceConfig config) {
    if (store.isEmpty()) {
      return config.given(password.name())
          ? Optional.of(
              new Fault(password.name(), "has no effect without " + file.name() + "; set it too"))
          : Optional.empty();
    }
    return refusal(store.get()).map(reason -> new Fault(file.name(), reason));
  }

  /** The reason why a store cannot be opened; that of the exception could tell too much. */
  private static Optional<String> refusal(StoreSettings store) {
    if (!Files.isReadable(store.file())) {
      return Optional.of(store.file() + " cannot be read on this worker; put the store there");
    }
    if (store.type() == StoreType.PEM) {
      return Optional.empty();
    }
    try (InputStream in = Files.newInputStream(store.file())) {
      KeyStore.getInstance(store.type().spelling())
          .load(in, store.password().value().toCharArray());
      return Optional.empty();
    } catch (IOException | GeneralSecurityException e) {
      return Optional.of(
          "%s cannot be opened as %s (%s); check its type and password"
              .formatted(store.file(), store.type().spelling(), e.getClass().getSimpleName()));
    }
  }
}
