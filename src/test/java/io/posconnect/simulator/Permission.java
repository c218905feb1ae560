package io.posconnect.simulator;

/** What an API key may be allowed to read, as the interface names it. */
public enum Permission {
  INVENTORY("Inventory"),
  CUSTOMER("Customer"),
  REPORTING("Reporting");

  private final String published;

  Permission(String published) {
    this.published = published;
  }

  /** The name in the interface's words. */
  public String published() {
    return published;
  }
}
