package io.posconnect.simulator;

import java.util.concurrent.atomic.AtomicInteger;

/** A fault that is in force, until its script ends it or it is closed. */
public final class ActiveFault implements AutoCloseable {

  private final Fault fault;
  private final Script script;
  private final ServerClock clock;
  private final long began;
  private final AtomicInteger hits = new AtomicInteger();
  private int seen;
  private boolean closed;

  ActiveFault(Fault fault, Script script, ServerClock clock) {
    this.fault = fault;
    this.script = script;
    this.clock = clock;
    this.began = clock.nanos();
  }

  /** How many requests it has struck. */
  public int hits() {
    return hits.get();
  }

  Fault fault() {
    return fault;
  }

  /** Whether it strikes this call; counts it if so. */
  synchronized boolean strikes(Call call, String alias) {
    if (closed || !script.concerns(call, alias) || expired()) {
      return false;
    }
    seen++;
    if (seen <= script.skipped() || hits.get() >= script.times()) {
      return false;
    }
    hits.incrementAndGet();
    return true;
  }

  /** Whether it can never strike again. */
  synchronized boolean isOver() {
    return closed || hits.get() >= script.times() || expired();
  }

  private boolean expired() {
    return script.lasts().isPresent() && clock.nanos() - began >= script.lasts().get().toNanos();
  }

  /** Ends it, and lets every answer that it holds back go on. */
  @Override
  public void close() {
    synchronized (this) {
      closed = true;
    }
    fault.release();
  }
}
