package io.posconnect.client;

import java.util.Objects;

/**
 * A file of certificates or keys.
 *
 * @param location path of the file; empty for none
 * @param password of the file and of the key in it; empty for none
 * @param type what kind of file it is
 */
public record StoreFile(String location, String password, Type type) {

  /** Kinds of files, by the names that Kafka's clients use. */
  public enum Type {
    PEM,
    JKS,
    PKCS12
  }

  /** No file: the platform's own trust, or no key. */
  public static final StoreFile NONE = new StoreFile("", "", Type.PKCS12);

  public StoreFile {
    Objects.requireNonNull(location, "location is null");
    Objects.requireNonNull(password, "password is null");
    Objects.requireNonNull(type, "type is null");
  }

  boolean isNone() {
    return location.isEmpty();
  }

  @Override
  public String toString() {
    return isNone() ? "none" : type + " " + location;
  }
}
