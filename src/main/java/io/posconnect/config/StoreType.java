package io.posconnect.config;

/** The format of a key store or trust store. */
public enum StoreType {
  PKCS12("PKCS12"),
  JKS("JKS"),
  /** Certificates and keys as text, one file for all. */
  PEM("PEM");

  private final String spelling;

  StoreType(String spelling) {
    this.spelling = spelling;
  }

  /** As it stands in the configuration. */
  public String spelling() {
    return spelling;
  }
}
