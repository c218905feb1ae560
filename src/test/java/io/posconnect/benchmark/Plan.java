package io.posconnect.benchmark;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * What is measured; system properties choose it.
 *
 * @param lists which every contestant reads
 * @param rounds how many cold reads of each list there are, and how many warm ones that count,
 *     behind three that do not
 * @param cold whether there are reads in new workers too
 * @param settings further ones of our connectors, such as {@code batch.max.records=1000}
 * @param findLatest whether warm reads find their schemas registered, see {@link Preregistration}
 * @param heap {@code -Xmx} of the worker
 * @param jvm further options of its JVM
 */
record Plan(
    List<Boolean> guarantees,
    List<ProductList> lists,
    List<Contestant> contestants,
    List<String> settings,
    int rounds,
    boolean cold,
    boolean findLatest,
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
    String contestants =
        System.getProperty(
            "benchmark.contestants", "ceiling,reference,parser,ours,typed" + (full ? ",flat" : ""));
    return new Plan(
        texts(guarantees).map("exactly-once"::equals).toList(),
        texts(rows)
            .map(Integer::valueOf)
            .flatMap(n -> texts(orders).map(order -> new ProductList(n, order.equals("shuffled"))))
            .toList(),
        texts(contestants).map(Contestant::of).toList(),
        given("benchmark.settings"),
        Integer.getInteger("benchmark.rounds", 3),
        !"false".equals(System.getProperty("benchmark.cold")),
        Boolean.getBoolean("benchmark.find-latest"),
        System.getProperty("benchmark.heap", "512m"),
        given("benchmark.jvm"));
  }

  private static List<String> given(String property) {
    String texts = System.getProperty(property, "");
    return texts.isEmpty() ? List.of() : texts(texts).toList();
  }

  private static Stream<String> texts(String property) {
    return Arrays.stream(property.split(",", -1));
  }

  /** What a user changed that the tables do not show. */
  String others() {
    List<String> all = new ArrayList<>(jvm);
    all.addAll(settings);
    if (findLatest) {
      all.add("find-latest");
    }
    return String.join(" ", all);
  }
}
