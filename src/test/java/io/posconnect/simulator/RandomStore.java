package io.posconnect.simulator;

import java.time.Duration;
import java.time.Instant;
import java.util.Objects;

/**
 * How much a store holds to begin with. The same sizes give the same rows, times aside.
 *
 * @param transactions spread evenly over the days before now
 * @param loyalty every twentieth movement is there twice
 */
public record RandomStore(
    int products, int customers, int transactions, Duration over, int inventory, int loyalty) {

  /** Enough of everything to look at. */
  public static final RandomStore SMALL =
      new RandomStore(120, 80, 300, Duration.ofDays(7), 150, 100);

  public RandomStore {
    Objects.requireNonNull(over, "over is null");
  }

  /** Adds that many rows; the products and customers seem to be as old as the transactions. */
  public void fill(Store store, Instant now) {
    Instant begin = now.minus(over);
    spread(store.products(), products, begin, Duration.ZERO);
    spread(store.customers(), customers, begin, Duration.ZERO);
    Duration apart = transactions == 0 ? Duration.ZERO : over.dividedBy(transactions);
    spread(store.registerTransactions(), transactions, begin, apart);
    for (int i = 0; i < inventory; i++) {
      store.inventory().create(1 + i % Math.max(1, products), begin);
    }
    for (int i = 0; i < loyalty; i++) {
      Instant at = begin.plus(apart.multipliedBy(i));
      if (i % 20 == 19) {
        store.loyaltyTransactions().duplicate(store.loyaltyTransactions().ids().get(i - 1));
      } else {
        store.loyaltyTransactions().create(1 + i % Math.max(1, transactions), at);
      }
    }
  }

  private static void spread(Table table, int rows, Instant begin, Duration apart) {
    for (int i = 0; i < rows; i++) {
      table.createAt(begin.plus(apart.multipliedBy(i)));
    }
  }
}
