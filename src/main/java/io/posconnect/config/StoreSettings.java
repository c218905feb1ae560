package io.posconnect.config;

import java.nio.file.Path;
import java.util.Objects;
import org.apache.kafka.common.config.types.Password;

/**
 * A store of certificates or keys.
 *
 * @param file where it is on the worker
 * @param password of the store and of its keys; empty when it has none
 * @param type its format
 */
public record StoreSettings(Path file, Password password, StoreType type) {
  public StoreSettings {
    Objects.requireNonNull(file, "file is null");
    Objects.requireNonNull(password, "password is null");
    Objects.requireNonNull(type, "type is null");
  }
}
