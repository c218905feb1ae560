package io.posconnect.simulator;

import java.time.Duration;
import java.util.Optional;
import java.util.function.Predicate;

/**
 * Whom a fault strikes and for how long.
 *
 * @param path empty: every path
 * @param alias of a store; empty: every store, and calls without a valid key
 * @param query which queries, as they were sent
 * @param skipped how many requests pass unharmed first
 * @param times how many are struck
 * @param lasts from when it was scripted; empty: until closed
 */
record Script(
    Optional<String> path,
    Optional<String> alias,
    Predicate<String> query,
    int skipped,
    int times,
    Optional<Duration> lasts) {

  static final Script ALL =
      new Script(
          Optional.empty(), Optional.empty(), any -> true, 0, Integer.MAX_VALUE, Optional.empty());

  boolean concerns(Call call, String store) {
    return path.map(call.path()::equals).orElse(true)
        && alias.map(store::equals).orElse(true)
        && query.test(call.query());
  }
}
