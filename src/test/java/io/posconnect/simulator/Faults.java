package io.posconnect.simulator;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/**
 * Scripts what goes wrong: {@code faults().on("/products").times(2).then(Fault.status(500))}.
 * Without {@link Aim#times} or {@link Aim#during} a fault stays until it is closed.
 */
public final class Faults implements AutoCloseable {

  private final List<ActiveFault> active = new CopyOnWriteArrayList<>();
  private final List<ActiveFault> past = new CopyOnWriteArrayList<>();
  private final ServerClock clock;

  Faults(ServerClock clock) {
    this.clock = clock;
  }

  /** Begins a fault of every path. */
  public Aim everywhere() {
    return new Aim(Script.ALL);
  }

  /** Begins a fault of one path. */
  public Aim on(String path) {
    Script all = Script.ALL;
    return new Aim(
        new Script(
            Optional.of(path), all.alias(), all.query(), all.skipped(), all.times(), all.lasts()));
  }

  /** Ends all faults and lets everything they hold back go on. */
  @Override
  public void close() {
    active.forEach(ActiveFault::close);
    past.forEach(ActiveFault::close);
    active.clear();
    past.clear();
  }

  List<Fault> striking(Call call, Optional<Store> store) {
    String alias = store.map(Store::alias).orElse("");
    List<Fault> striking = new ArrayList<>();
    for (ActiveFault each : active) {
      if (each.strikes(call, alias)) {
        striking.add(each.fault());
      }
    }
    // One that is over may still hold an answer back: closing must find it.
    active.removeIf(each -> each.isOver() && past.add(each));
    return striking;
  }

  /** Whom the fault will strike; every method returns a narrower aim and changes nothing else. */
  public final class Aim {

    private final Script script;

    private Aim(Script script) {
      this.script = script;
    }

    /** Only requests with this store's key. */
    public Aim at(Store store) {
      return new Aim(
          new Script(
              script.path(),
              Optional.of(store.alias()),
              script.query(),
              script.skipped(),
              script.times(),
              script.lasts()));
    }

    /** Only requests whose query, as it was sent, passes. */
    public Aim whenQuery(Predicate<String> query) {
      return new Aim(
          new Script(
              script.path(),
              script.alias(),
              query,
              script.skipped(),
              script.times(),
              script.lasts()));
    }

    /** Not the first ones. */
    public Aim after(int requests) {
      return new Aim(
          new Script(
              script.path(),
              script.alias(),
              script.query(),
              requests,
              script.times(),
              script.lasts()));
    }

    /** Only so many. */
    public Aim times(int requests) {
      return new Aim(
          new Script(
              script.path(),
              script.alias(),
              script.query(),
              script.skipped(),
              requests,
              script.lasts()));
    }

    /** Only for so long, from {@link #then} on. */
    public Aim during(Duration time) {
      return new Aim(
          new Script(
              script.path(),
              script.alias(),
              script.query(),
              script.skipped(),
              script.times(),
              Optional.of(time)));
    }

    /** Puts the fault in force. */
    public ActiveFault then(Fault fault) {
      ActiveFault started = new ActiveFault(fault, script, clock);
      active.add(started);
      return started;
    }
  }
}
