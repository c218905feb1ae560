package io.posconnect.resource;

import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Lists the resources that the service is known to offer. A new endpoint is one more {@link Entry};
 * configuration overrides any part of it, and adds resources that the service does not publish.
 */
public final class Catalog {

  /** Name of the query parameter for the lower bound of a modification time. */
  public static final String FROM = "fromLastModifiedDateUTC";

  /** Name of the query parameter for the upper bound of a modification time. */
  public static final String TO = "toLastModifiedDateUTC";

  /** Name of the query parameter for a page's number. */
  public static final String PAGE_NUMBER = "PageNumber";

  /** Name of the query parameter for a numbered page's size. */
  public static final String PAGE_SIZE = "PageSize";

  /** Name of the query parameter for the key of the next page. */
  public static final String PAGE_KEY = "pageKey";

  /** Name of the query parameter for the size of a page that is found by its key. */
  public static final String MAX_PAGE_SIZE = "maxPageSize";

  public static final int FIRST_PAGE = 1;

  /** Rows asked for in a page: the most that the numbered pages allow. */
  public static final int ROWS_PER_PAGE = 100;

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
              new Resource(
                  "products",
                  "/products",
                  new ModifiedSince(FROM),
                  List.of("productId"),
                  false,
                  Set.of(),
                  REQUESTS_PER_MINUTE,
                  Duration.ofSeconds(30),
                  PRODUCT_LOOKBACK,
                  List.of()),
              "Inventory"),
          new Entry(
              new Resource(
                  "customers",
                  "/customer/customers",
                  new ModifiedSince(FROM),
                  List.of("customerID"),
                  false,
                  Set.of(),
                  REQUESTS_PER_MINUTE,
                  Duration.ofSeconds(30),
                  LOOKBACK,
                  List.of()),
              "Customer",
              "/customer/customers-paginated"),
          new Entry(
              new Resource(
                  "register-transactions",
                  "/reporting/register-transactions",
                  new DateRange(FROM, TO),
                  List.of("registerTransactionId|transactionId"),
                  false,
                  Set.of(),
                  REPORTING_PER_MINUTE,
                  Duration.ofSeconds(15),
                  LOOKBACK,
                  List.of()),
              "Reporting"),
          new Entry(
              new Resource(
                  "inventory",
                  "/reporting/inventory",
                  new Full(false),
                  List.of("inventoryId"),
                  false,
                  Set.of(),
                  REPORTING_PER_MINUTE,
                  Duration.ofSeconds(60),
                  LOOKBACK,
                  List.of()),
              "Reporting"),
          new Entry(
              new Resource(
                  IDENTITY,
                  "/whoami",
                  new Full(true),
                  List.of(),
                  false,
                  Set.of(),
                  HIGH_TRAFFIC_PER_MINUTE,
                  Duration.ofHours(1),
                  LOOKBACK,
                  List.of()),
              ""),
          new Entry(
              new Resource(
                  "loyalty-transactions",
                  "",
                  new Cursor(PAGE_KEY, MAX_PAGE_SIZE, ROWS_PER_PAGE),
                  List.of(
                      "locId",
                      "customerId",
                      "transactionDateUtc",
                      "transactionType",
                      "registerTransactionId?",
                      "points?"),
                  true,
                  Set.of(),
                  REQUESTS_PER_MINUTE,
                  Duration.ofSeconds(60),
                  LOOKBACK,
                  List.of()),
              ""));

  private Catalog() {}

  /**
   * One resource that the service is known to offer.
   *
   * @param resource how it is read by default; an empty path is not published, so the resource is
   *     off until configuration gives a path
   * @param permission that a key needs, such as {@code Reporting}; empty when none is needed or
   *     known
   * @param pagesPath path of the same rows in numbered pages; empty when there is none
   */
  public record Entry(Resource resource, String permission, String pagesPath) {

    Entry(Resource resource, String permission) {
      this(resource, permission, "");
    }

    public boolean published() {
      return !resource.path().isEmpty();
    }
  }

  public static List<Entry> entries() {
    return ENTRIES;
  }

  public static Optional<Entry> find(String name) {
    return ENTRIES.stream().filter(entry -> entry.resource().name().equals(name)).findFirst();
  }
}
