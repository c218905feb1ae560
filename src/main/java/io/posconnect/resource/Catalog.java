package io.posconnect.resource;

import io.posconnect.resource.Retrieval.Style;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Lists the resources that the service is known to offer. A new endpoint is one more {@link Entry};
 * configuration overrides any part of it, and adds resources that the service does not publish.
 */
public final class Catalog {

  /** The limit of a path for which the service states none. */
  public static final int REQUESTS_PER_MINUTE = 120;

  /** Poll interval of a resource that this list lacks. */
  public static final Duration POLL_INTERVAL = Duration.ofSeconds(60);

  /** Lookback of a resource whose delay is unknown. */
  public static final Duration LOOKBACK = Duration.ofMinutes(15);

  /**
   * The resource that identifies the store of a key; it needs no permission, so it also proves a
   * key.
   */
  public static final String IDENTITY = "locations";

  private static final int REPORTING_PER_MINUTE = 60;
  private static final int HIGH_TRAFFIC_PER_MINUTE = 200;

  /** Product edits show up to an hour late, and the digest makes a wide lookback cheap. */
  private static final Duration PRODUCT_LOOKBACK = Duration.ofMinutes(90);

  private static final List<Entry> ENTRIES =
      List.of(
          new Entry(
              "products",
              "/products",
              "",
              Style.MODIFIED_SINCE,
              List.of("productId"),
              false,
              REQUESTS_PER_MINUTE,
              Duration.ofSeconds(30),
              PRODUCT_LOOKBACK,
              "Inventory"),
          new Entry(
              "customers",
              "/customer/customers",
              "/customer/customers-paginated",
              Style.MODIFIED_SINCE,
              List.of("customerID"),
              false,
              REQUESTS_PER_MINUTE,
              Duration.ofSeconds(30),
              LOOKBACK,
              "Customer"),
          new Entry(
              "register-transactions",
              "/reporting/register-transactions",
              "",
              Style.DATE_RANGE,
              List.of("registerTransactionId|transactionId"),
              false,
              REPORTING_PER_MINUTE,
              Duration.ofSeconds(15),
              LOOKBACK,
              "Reporting"),
          new Entry(
              "inventory",
              "/reporting/inventory",
              "",
              Style.FULL,
              List.of("inventoryId"),
              false,
              REPORTING_PER_MINUTE,
              Duration.ofSeconds(60),
              LOOKBACK,
              "Reporting"),
          new Entry(
              IDENTITY,
              "/whoami",
              "",
              Style.FULL,
              List.of(),
              false,
              HIGH_TRAFFIC_PER_MINUTE,
              Duration.ofHours(1),
              LOOKBACK,
              ""),
          new Entry(
              "loyalty-transactions",
              "",
              "",
              Style.CURSOR,
              List.of(
                  "locId",
                  "customerId",
                  "transactionDateUtc",
                  "transactionType",
                  "registerTransactionId?",
                  "points?"),
              true,
              REQUESTS_PER_MINUTE,
              Duration.ofSeconds(60),
              LOOKBACK,
              ""));

  private Catalog() {}

  /**
   * One resource that the service is known to offer, as it is read by default.
   *
   * @param path empty where it is not published, so the resource is off until configuration gives a
   *     path
   * @param pagesPath path of the same rows in numbered pages; empty when there is none
   * @param keyFields none when the resource is one object, known by its location
   * @param occurrences whether identical rows exist
   * @param permission that a key needs, such as {@code Reporting}; empty when none is needed or
   *     known
   */
  public record Entry(
      String name,
      String path,
      String pagesPath,
      Style style,
      List<String> keyFields,
      boolean occurrences,
      int requestsPerMinute,
      Duration pollInterval,
      Duration lookback,
      String permission) {

    public boolean published() {
      return !path.isEmpty();
    }
  }

  public static List<Entry> entries() {
    return ENTRIES;
  }

  public static Optional<Entry> find(String name) {
    return ENTRIES.stream().filter(entry -> entry.name().equals(name)).findFirst();
  }
}
