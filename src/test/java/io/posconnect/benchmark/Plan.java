package io.posconnect.benchmark;

import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is measured; system properties choose it.
 *
 * @param lists which every contestant reads
 * @param rounds how many warm reads of each list count, behind one that does not
 * @param cold whether there are reads in new workers too
 * @param heap {@code -Xmx} of the worker
 * @param jvm further options of its JVM
 */
record Plan(
    List<Boolean> guarantees,
    List<ProductList> lists,
    List<Contestant> contestants,
    int rounds,
    boolean cold,
    String heap,
    List<String> jvm) {

  /** A list; the name is the path under which it is served. */
  record ProductList(int rows, boolean shuffled) {
    String path() {
      return "/" + rows + (shuffled ? "-shuffled" : "");
    }

    /** For the heading of a table. */
    String label() {
      return String.format("%,d rows %s", rows, shuffled ? "shuffled" : "in order");
    }
  }

  static Plan ofProperties() {
    boolean full = Boolean.getBoolean("benchmark.full");
    String rows = System.getProperty("benchmark.rows", full ? "10000,100000,1000000" : "100000");
    String orders = System.getProperty("benchmark.orders", full ? "ordered,shuffled" : "ordered");
    String guarantees = System.getProperty("benchmark.guarantees", "exactly-once,at-least-once");
    List<Contestant> usual =
        List.of(
            Contestant.CEILING,
            Contestant.REFERENCE,
            Contestant.PARSER,
            Contestant.OURS,
            Contestant.TYPED);
    return new Plan(
        texts(guarantees).map("exactly-once"::equals).toList(),
        texts(rows)
            .map(Integer::valueOf)
            .flatMap(n -> texts(orders).map(order -> new ProductList(n, order.equals("shuffled"))))
            .toList(),
        full ? List.of(Contestant.values()) : usual,
        Integer.getInteger("benchmark.rounds", 3),
        !"false".equals(System.getProperty("benchmark.cold")),
        System.getProperty("benchmark.heap", "512m"),
        texts(System.getProperty("benchmark.jvm", "")).filter(each -> !each.isEmpty()).toList());
  }

  private static Stream<String> texts(String property) {
    return Arrays.stream(property.split(",", -1));
  }
}
