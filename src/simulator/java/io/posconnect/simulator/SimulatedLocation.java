package io.posconnect.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.simulator.Endpoint.Permission;
import io.posconnect.simulator.Simulator.ServiceClock;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The location behind one API key, with its own rows and permissions. Safe for several threads. */
public final class SimulatedLocation {

  public static final String PRODUCTS = "products";
  public static final String CUSTOMERS = "customers";
  public static final String REGISTER_TRANSACTIONS = "register-transactions";
  public static final String INVENTORY = "inventory";
  public static final String LOYALTY = "loyalty-transactions";
  public static final String LOCATIONS = "locations";

  private final int number;
  private final ServiceClock clock;
  private final ResponseHistory history = new ResponseHistory();
  private final Map<String, Table> tables = new ConcurrentHashMap<>();
  private final Set<Permission> permissions = EnumSet.allOf(Permission.class);

  SimulatedLocation(int number, ServiceClock clock) {
    this.number = number;
    this.clock = clock;
    Table identity = new Table(LOCATIONS, Templates.location(number), clock, Row.mix(number));
    identity.create();
    tables.put(LOCATIONS, identity);
  }

  /** A name for the location in logs, which its key must never reach. */
  public String alias() {
    return "location-" + number;
  }

  public Table products() {
    return table(PRODUCTS);
  }

  public Table customers() {
    return table(CUSTOMERS);
  }

  public Table registerTransactions() {
    return table(REGISTER_TRANSACTIONS);
  }

  public Table inventory() {
    return table(INVENTORY);
  }

  /** Movements of loyalty points: rows without an id, of which two may be identical. */
  public Table loyaltyTransactions() {
    return table(LOYALTY);
  }

  /** The one row that {@code /whoami} shows; its id is 1. */
  public Table identity() {
    return table(LOCATIONS);
  }

  /** The rows of a resource, which begins empty. */
  public Table table(String resource) {
    return tables.computeIfAbsent(
        resource,
        name ->
            new Table(
                name, Templates.of(name, number), clock, Row.mix(number * 31L + name.hashCode())));
  }

  /** Every existing row's content by its id; see {@link Table} for rows that show none. */
  public Map<String, JsonNode> truth(String resource) {
    return table(resource).truth();
  }

  /** The rows that clients were shown. */
  public ResponseHistory history() {
    return history;
  }

  public void permit(Permission permission) {
    synchronized (permissions) {
      permissions.add(permission);
    }
  }

  public void forbid(Permission permission) {
    synchronized (permissions) {
      permissions.remove(permission);
    }
  }

  boolean may(Permission permission) {
    synchronized (permissions) {
      return permissions.contains(permission);
    }
  }

  @Override
  public String toString() {
    return alias();
  }

  /**
   * The rows that a location holds to begin with. The same sizes give the same rows, times aside.
   *
   * @param transactions spread evenly over the days before now
   * @param loyalty every twentieth movement is there twice
   */
  public record InitialRows(
      int products, int customers, int transactions, Duration over, int inventory, int loyalty) {

    /** Enough of everything to look at. */
    public static final InitialRows SMALL =
        new InitialRows(120, 80, 300, Duration.ofDays(7), 150, 100);

    public InitialRows {
      Objects.requireNonNull(over, "over is null");
    }

    /** Adds that many rows; the products and customers seem to be as old as the transactions. */
    public void fill(SimulatedLocation location, Instant now) {
      Instant begin = now.minus(over);
      spread(location.products(), products, begin, Duration.ZERO);
      spread(location.customers(), customers, begin, Duration.ZERO);
      Duration apart = transactions == 0 ? Duration.ZERO : over.dividedBy(transactions);
      spread(location.registerTransactions(), transactions, begin, apart);
      for (int i = 0; i < inventory; i++) {
        location.inventory().create(1 + i % Math.max(1, products), begin);
      }
      for (int i = 0; i < loyalty; i++) {
        Instant at = begin.plus(apart.multipliedBy(i));
        if (i % 20 == 19) {
          location.loyaltyTransactions().duplicate(location.loyaltyTransactions().ids().get(i - 1));
        } else {
          location.loyaltyTransactions().create(1 + i % Math.max(1, transactions), at);
        }
      }
    }

    private static void spread(Table table, int rows, Instant begin, Duration apart) {
      for (int i = 0; i < rows; i++) {
        table.createAt(begin.plus(apart.multipliedBy(i)));
      }
    }
  }
}
