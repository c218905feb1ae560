package io.posconnect.config;

import java.net.URI;
import java.util.Objects;
import org.apache.kafka.common.config.types.Password;

/**
 * One location: one key, one store.
 *
 * @param name its name in the configuration
 * @param baseUrl absolute, without a trailing slash
 * @param apiKey the user name of Basic authentication
 * @param apiPassword its password, usually empty
 */
public record LocationSettings(String name, URI baseUrl, Password apiKey, Password apiPassword) {
  public LocationSettings {
    Objects.requireNonNull(name, "name is null");
    Objects.requireNonNull(baseUrl, "baseUrl is null");
    Objects.requireNonNull(apiKey, "apiKey is null");
    Objects.requireNonNull(apiPassword, "apiPassword is null");
  }
}
