package io.posconnect.simulator;

import java.util.List;
import java.util.Objects;
import java.util.Optional;

/**
 * One path of the service: what it serves, in which style, to whom and how often.
 *
 * @param path absolute, without a query
 * @param resource name of the table it reads
 * @param permission needed by the key; empty when every valid key may
 * @param requestsPerMinute per key, in any sliding 60 seconds
 */
public record Endpoint(
    String path,
    String resource,
    Style style,
    Optional<Permission> permission,
    int requestsPerMinute) {

  /** Ways to ask for rows, and their layout. */
  public enum Style {
    /** A JSON array of everything; no parameter matters. */
    FULL,
    /** A JSON array, narrowed by {@code fromLastModifiedDateUTC}. */
    MODIFIED_SINCE,
    /**
     * A JSON array, narrowed by {@code fromLastModifiedDateUTC} and {@code toLastModifiedDateUTC}.
     */
    DATE_RANGE,
    /** A JSON array of one page, by {@code PageNumber} and {@code PageSize}. */
    PAGES,
    /** A page of what {@code fromLastModifiedDateUTC} leaves. */
    MODIFIED_PAGES,
    /** An envelope of one page, by {@code pageKey} and {@code maxPageSize}. */
    PAGE_KEYS,
    /** A single JSON object: the table's first row. */
    OBJECT
  }

  public static final String PRODUCTS = "/products";
  public static final String CUSTOMERS = "/customer/customers";
  public static final String CUSTOMERS_PAGINATED = "/customer/customers-paginated";
  public static final String REGISTER_TRANSACTIONS = "/reporting/register-transactions";
  public static final String INVENTORY = "/reporting/inventory";
  public static final String WHOAMI = "/whoami";

  /** The path of loyalty movements; the interface names none. */
  public static final String LOYALTY = "/loyalty/transactions";

  public Endpoint {
    Objects.requireNonNull(resource, "resource is null");
    Objects.requireNonNull(style, "style is null");
    Objects.requireNonNull(permission, "permission is null");
    if (!path.startsWith("/")) {
      throw new IllegalArgumentException("path does not begin with a slash: " + path);
    }
    if (requestsPerMinute < 1) {
      throw new IllegalArgumentException("requestsPerMinute is below 1: " + requestsPerMinute);
    }
  }

  Endpoint withLimit(int limit) {
    return new Endpoint(path, resource, style, permission, limit);
  }

  static List<Endpoint> published() {
    Optional<Permission> customer = Optional.of(Permission.CUSTOMER);
    Optional<Permission> reporting = Optional.of(Permission.REPORTING);
    return List.of(
        new Endpoint(
            PRODUCTS,
            SimulatedLocation.PRODUCTS,
            Style.MODIFIED_SINCE,
            Optional.of(Permission.INVENTORY),
            120),
        new Endpoint(CUSTOMERS, SimulatedLocation.CUSTOMERS, Style.MODIFIED_SINCE, customer, 120),
        new Endpoint(CUSTOMERS_PAGINATED, SimulatedLocation.CUSTOMERS, Style.PAGES, customer, 120),
        new Endpoint(
            REGISTER_TRANSACTIONS,
            SimulatedLocation.REGISTER_TRANSACTIONS,
            Style.DATE_RANGE,
            reporting,
            60),
        new Endpoint(INVENTORY, SimulatedLocation.INVENTORY, Style.FULL, reporting, 60),
        new Endpoint(LOYALTY, SimulatedLocation.LOYALTY, Style.PAGE_KEYS, customer, 120),
        new Endpoint(WHOAMI, SimulatedLocation.LOCATIONS, Style.OBJECT, Optional.empty(), 200));
  }

  /** Permissions of an API key, as the interface names them. */
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
}
