package io.posconnect.simulator;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;

/**
 * Scripts what goes wrong: {@code faults().on("/products").times(2).then(Fault.status(500))}.
 * Without {@link Aim#times} a fault stays until it is closed.
 */
public final class Faults implements AutoCloseable {

  private final List<ActiveFault> active = new CopyOnWriteArrayList<>();
  private final List<ActiveFault> past = new CopyOnWriteArrayList<>();

  /** Begins a fault of every path. */
  public Aim everywhere() {
    return new Aim(path -> true);
  }

  public Aim on(String path) {
    return new Aim(path::equals);
  }

  /** Ends all faults and lets everything they hold back go on. */
  @Override
  public void close() {
    active.forEach(ActiveFault::close);
    past.forEach(ActiveFault::close);
    active.clear();
    past.clear();
  }

  List<Fault> striking(Request request, Optional<SimulatedLocation> location) {
    String alias = location.map(SimulatedLocation::alias).orElse("");
    List<Fault> striking = new ArrayList<>();
    for (ActiveFault each : active) {
      if (each.strikes(request, alias)) {
        striking.add(each.fault);
      }
    }
    // One that is over may still hold an answer back: closing must find it.
    active.removeIf(each -> each.isOver() && past.add(each));
    return striking;
  }

  /** Narrows which requests the fault strikes. */
  public final class Aim {

    private final Predicate<String> path;
    private Predicate<String> alias = any -> true;
    private Predicate<String> query = any -> true;
    private int times = Integer.MAX_VALUE;

    private Aim(Predicate<String> path) {
      this.path = path;
    }

    /** Only requests with this location's key. */
    public Aim at(SimulatedLocation location) {
      alias = location.alias()::equals;
      return this;
    }

    /** Only requests whose query, as it was sent, passes. */
    public Aim whenQuery(Predicate<String> passes) {
      query = passes;
      return this;
    }

    /** Only so many. */
    public Aim times(int requests) {
      times = requests;
      return this;
    }

    /** Puts the fault in force. */
    public ActiveFault then(Fault fault) {
      ActiveFault started = new ActiveFault(fault, this);
      active.add(started);
      return started;
    }

    private boolean concerns(Request request, String location) {
      return path.test(request.path()) && alias.test(location) && query.test(request.query());
    }
  }

  /** A fault that is in force, until its aim ends it or it is closed. */
  public static final class ActiveFault implements AutoCloseable {

    private final Fault fault;
    private final Aim aim;
    private final AtomicInteger hits = new AtomicInteger();
    private boolean closed;

    private ActiveFault(Fault fault, Aim aim) {
      this.fault = fault;
      this.aim = aim;
    }

    /** The number of requests that it has struck. */
    public int hits() {
      return hits.get();
    }

    /** Strikes this request, and counts it, if it aims at it. */
    private synchronized boolean strikes(Request request, String location) {
      if (!aim.concerns(request, location) || isOver()) {
        return false;
      }
      hits.incrementAndGet();
      return true;
    }

    /** Returns whether it can never strike again. */
    private synchronized boolean isOver() {
      return closed || hits.get() >= aim.times;
    }

    /** Ends it, and lets every response that it holds back go on. */
    @Override
    public void close() {
      synchronized (this) {
        closed = true;
      }
      fault.release();
    }
  }
}
