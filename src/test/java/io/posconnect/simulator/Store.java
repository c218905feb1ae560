package io.posconnect.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What is behind one API key: a location with its own rows and permissions. Safe for several
 * threads.
 */
public final class Store {

  public static final String PRODUCTS = "products";
  public static final String CUSTOMERS = "customers";
  public static final String REGISTER_TRANSACTIONS = "register-transactions";
  public static final String INVENTORY = "inventory";
  public static final String LOYALTY = "loyalty-transactions";
  public static final String LOCATIONS = "locations";

  private final int number;
  private final ServerClock clock;
  private final ServedHistory history = new ServedHistory();
  private final Map<String, Table> tables = new ConcurrentHashMap<>();
  private final Set<Permission> permissions = EnumSet.allOf(Permission.class);

  Store(int number, ServerClock clock, boolean pascalCase) {
    this.number = number;
    this.clock = clock;
    Table identity =
        new Table(LOCATIONS, Templates.location(number, pascalCase), clock, Draw.mix(number));
    identity.create();
    tables.put(LOCATIONS, identity);
  }

  /** A name for the store in logs, which its key must never reach. */
  public String alias() {
    return "store-" + number;
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
                name, Templates.of(name, number), clock, Draw.mix(number * 31L + name.hashCode())));
  }

  /** Every existing row's content by its id; see {@link Table} for rows that show none. */
  public Map<String, JsonNode> truth(String resource) {
    return table(resource).truth();
  }

  /** What clients were shown. */
  public ServedHistory history() {
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
}
