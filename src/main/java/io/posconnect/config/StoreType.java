package io.posconnect.config;

/** The format of a key store or trust store. */
public enum StoreType {
  PKCS12("PKCS12"),
  JKS("JKS");

  private final String spelling;

  StoreType(String spelling) {
    this.spelling = spelling;
  }

  /** As it stands in the configuration, and as {@link java.security.KeyStore} knows it. */
  public String spelling() {
    return spelling;
  }
}
