package io.posconnect.simulator;

import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * A busy day at a location: one change after the other, chosen by a seed. The same seed on equal
 * locations makes the same changes, times aside.
 */
public final class Churn implements AutoCloseable {

  /** Kinds of changes. */
  public enum Event {
    /** A register transaction; stock falls, points are earned. */
    SALE(40),
    /** An old transaction is voided or edited. */
    VOID(6),
    PRICE_CHANGE(18),
    STOCK_COUNT(10),
    NEW_PRODUCT(5),
    NEW_CUSTOMER(5),
    CUSTOMER_EDIT(8),
    PRODUCT_DELETED(2),
    CUSTOMER_DELETED(1),
    INVENTORY_DELETED(1),
    /** A change of a product that seems to have happened up to four minutes ago. */
    LATE_EDIT(2),
    /** A transaction that seems to have happened up to four minutes ago. */
    LATE_SALE(2);

    private final int weight;

    Event(int weight) {
      this.weight = weight;
    }
  }

  private static final int TOTAL = List.of(Event.values()).stream().mapToInt(e -> e.weight).sum();

  private final SimulatedLocation location;
  private final Supplier<Instant> now;
  private final Random random;
  private final Map<Event, Integer> counts = new EnumMap<>(Event.class);
  private final ScheduledExecutorService thread =
      Executors.newSingleThreadScheduledExecutor(
          task -> {
            Thread made = new Thread(task, "churn");
            made.setDaemon(true);
            return made;
          });
  private volatile ScheduledFuture<?> running;

  public Churn(SimulatedLocation location, long seed, Supplier<Instant> now) {
    this.location = location;
    this.random = new Random(seed);
    this.now = now;
  }

  /** Lets so many events happen, now and in this thread. */
  public synchronized void run(int events) {
    for (int i = 0; i < events; i++) {
      step();
    }
  }

  /** Lets one event happen; one that finds no row to happen to becomes a sale. */
  public synchronized Event step() {
    int ticket = random.nextInt(TOTAL);
    Event chosen = Event.SALE;
    for (Event event : Event.values()) {
      ticket -= event.weight;
      if (ticket < 0) {
        chosen = event;
        break;
      }
    }
    Event happened = happen(chosen) ? chosen : Event.SALE;
    if (happened != chosen) {
      sell(now.get());
    }
    counts.merge(happened, 1, Integer::sum);
    return happened;
  }

  /** Lets events happen at this rate, in a thread of its own, until closed. */
  public synchronized Churn start(double perSecond) {
    if (running != null) {
      throw new IllegalStateException("already running");
    }
    long nanos = (long) (TimeUnit.SECONDS.toNanos(1) / perSecond);
    running = thread.scheduleAtFixedRate(this::step, nanos, nanos, TimeUnit.NANOSECONDS);
    return this;
  }

  /** The changes so far, counted by kind. */
  public synchronized Map<Event, Integer> counts() {
    return Map.copyOf(counts);
  }

  private boolean happen(Event event) {
    return switch (event) {
      case SALE -> sell(now.get());
      case LATE_SALE -> sell(late());
      case VOID -> update(location.registerTransactions(), now.get());
      case PRICE_CHANGE -> update(location.products(), now.get());
      case STOCK_COUNT -> update(location.inventory(), now.get());
      case CUSTOMER_EDIT -> update(location.customers(), now.get());
      case LATE_EDIT -> update(location.products(), late());
      case NEW_PRODUCT -> {
        long product = location.products().createAt(now.get());
        location.inventory().create(product, now.get());
        yield true;
      }
      case NEW_CUSTOMER -> {
        location.customers().createAt(now.get());
        yield true;
      }
      case PRODUCT_DELETED -> delete(location.products());
      case CUSTOMER_DELETED -> delete(location.customers());
      case INVENTORY_DELETED -> delete(location.inventory());
    };
  }

  private boolean sell(Instant at) {
    long customer = any(location.customers());
    long sale = location.registerTransactions().create(Math.max(0, customer), at);
    update(location.inventory(), at);
    if (random.nextInt(3) == 0) {
      location.loyaltyTransactions().create(sale, at);
    }
    return true;
  }

  // No other thread may change the table between the choice of a row and its change.

  private boolean update(Table table, Instant at) {
    synchronized (table) {
      long id = any(table);
      if (id > 0) {
        table.updateAt(id, at);
      }
      return id > 0;
    }
  }

  /** Row 1 stays: it is the one on which people try commands. */
  private boolean delete(Table table) {
    synchronized (table) {
      long id = any(table);
      if (id > 1) {
        table.delete(id);
      }
      return id > 1;
    }
  }

  private long any(Table table) {
    Row[] rows = table.rows();
    return rows.length == 0 ? -1 : rows[random.nextInt(rows.length)].id();
  }

  private Instant late() {
    return now.get().minus(Duration.ofSeconds(1 + random.nextInt(240)));
  }

  /** Ends it once what has begun has happened; fails if a change failed. */
  @Override
  public void close() {
    thread.shutdown();
    try {
      if (!thread.awaitTermination(5, TimeUnit.SECONDS)) {
        throw new IllegalStateException("a change takes longer than five seconds");
      }
      if (running != null && !running.isCancelled()) {
        running.get();
      }
    } catch (ExecutionException e) {
      throw new IllegalStateException("the churn broke off", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
