package io.posconnect.fetch;

import io.posconnect.fetch.Oracle.Violation;
import io.posconnect.fetch.Setup.Style;
import io.posconnect.fetch.Setup.Tuning;
import io.posconnect.fetch.Table.Flaw;
import io.posconnect.offset.DigestScope;
import io.posconnect.offset.StreamOffset;
import io.posconnect.resource.StreamSettings;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import org.apache.kafka.connect.errors.ConnectException;

/** Joins the parts of the model and runs the steps of a history. */
final class World implements History.Life {

  private static final int PLENTY = 1_000;

  /** How wrong a date is at most. */
  private static final long MOST_WRONG = 10 * 24 * Setup.HOUR;

  private final Setup setup;
  private final List<String> trace;
  private final SimulatedTime time;
  private final Table table;
  private final SimulatedService service;
  private final StoredOffsets offsets;
  private final Oracle oracle;
  private SplittableRandom random;
  private final SplittableRandom ofConnect;
  private SimulatedTask task;
  private SimulatedWorker worker;
  private SimulatedWorker zombie;

  // Whether a checkpoint of this process is stored.
  private boolean checkpointed;

  // Which snapshot.id is configured, and the latest that was new.
  private int snapshot;
  private int snapshots;
  private boolean baselineIsLost;
  private int topics;
  private int comparisons;
  private int maxKeys = PLENTY;
  private boolean calm;

  // When the service's clock will have reached every time of modification.
  private long latest;
  private Tuning tuning;

  // Keys whose newest row has a time that no increment may ask for.
  private final Set<Integer> odd = new HashSet<>();

  // Events and dead letters so far.
  private int news;

  /**
   * @param trace collects what happens; null when it is not needed
   */
  World(Setup setup, SplittableRandom random, List<String> trace) {
    this.setup = setup;
    this.trace = trace;
    this.random = random;
    ofConnect = new SplittableRandom(setup.seed);
    time = new SimulatedTime(setup.wall(random));
    table = new Table(setup.keys);
    for (int key = 0; key < setup.keys; key++) {
      if (random.nextInt(4) != 0) {
        long modified = time.server() - random.nextLong(Setup.AGE);
        table.write(key, setup.content(random), modified, modified);
      }
    }
    offsets = new StoredOffsets(() -> setup.style.filtered());
    oracle = new Oracle(this);
    service = new SimulatedService(this);
    begin(Set.of());
  }

  private void begin(Set<Integer> unsure) {
    service.newCaller();
    checkpointed = false;
    tuning = calm ? setup.usual() : setup.tuning(random);
    if (offsets.areDamaged() || !offsets.hasPosition()) {
      oracle.newNumbers();
    }
    task = new SimulatedTask(this, maxKeys, unsure);
    worker =
        setup.exactlyOnce ? new ExactlyOnceWorker(this, task) : new AtLeastOnceWorker(this, task);
  }

  /** One step of a history, all of whose choices come from the given source. */
  @Override
  public void step(SplittableRandom choices) {
    random = choices;
    if (setup.style == Style.PAGED_INCREMENTS
        && random.nextInt(6) == 0
        && offsets.snapshotted(snapshotId())) {
      shift();
      return;
    }
    int choice = random.nextInt(setup.flickers ? 85 : 100);
    if (setup.hurried) {
      hurry(choice);
    } else if (choice < 30) {
      drive(1 + random.nextInt(4));
    } else if (choice < 48) {
      mutate(1 + random.nextInt(3));
    } else if (choice < 58) {
      pass();
    } else if (choice < 72) {
      worker.poll(1 + random.nextInt(8));
      if (random.nextBoolean()) {
        worker.progress(random);
      }
    } else if (choice < 85) {
      worker.progress(random);
    } else if (choice < 93) {
      crash();
    } else {
      special(random.nextInt(15));
    }
  }

  /** Few changes, many crashes: tests records that are on their way. */
  private void hurry(int choice) {
    if (choice < 40) {
      drive(1);
    } else if (choice < 48) {
      mutate(1);
    } else if (choice < 50) {
      pass();
    } else if (choice < 80) {
      worker.poll(1 + random.nextInt(8));
      worker.progress(random);
    } else if (choice < 97) {
      crash();
    } else {
      special(random.nextInt(15));
    }
  }

  private void special(int choice) {
    // What begins under another id has nothing to fill.
    boolean hasBegun = !setup.baseline || offsets.hasPosition();
    if (choice == 0 && setup.newSnapshots && hasBegun) {
      die();
      renameSnapshot();
      if (setup.rekeys && random.nextBoolean()) {
        rekey();
      }
      oracle.newSnapshot();
      begin(oracle.crashed(offsets.saved(), offsets.snapshotted(snapshotId())));
    } else if (choice == 1 && setup.limitsKeys) {
      maxKeys = random.nextBoolean() ? PLENTY : 1 + random.nextInt(setup.keys);
      oracle.keysWereLimited();
      crash();
    } else if (choice == 2 && setup.losesSegments) {
      lose();
    } else if (choice == 2 && setup.damagesOffsets) {
      damage();
    } else if (choice == 3 && setup.zombies && !setup.exactlyOnce) {
      startBeside();
    } else if (choice == 4) {
      time.setWall(setup.wall(random));
    } else if (choice == 5 && setup.jumps == 0 && service.knowsTime()) {
      service.misdate(random.nextLong(-MOST_WRONG, MOST_WRONG));
    } else if (choice == 6 && zombie != null) {
      zombie.poll(3);
      zombie.crash(random);
    } else if (choice == 12 && setup.operated) {
      rewindAndChange(random.nextInt(3));
    } else if (choice > 12 && setup.restyles) {
      operate(11);
    } else if (choice > 12) {
      alarm(choice == 13);
    } else if (choice > 6 && setup.operated) {
      operate(choice);
    }
  }

  /** An operator changes a setting and rewinds at once; a crash comes before the first position. */
  private void rewindAndChange(int setting) {
    die();
    Set<Integer> ahead = oracle.crashed(offsets.saved(), offsets.snapshotted(snapshotId()));
    rewind();
    trace(() -> "an operator rewinds, and changes setting " + setting);
    begin(change(setting, ahead));
    drive(1 + random.nextInt(2));
    worker.poll(1 + random.nextInt(8));
    worker.progress(random);
    crash();
  }

  /** Changes the topic, the comparison, or the snapshot's id; returns the keys ahead after it. */
  private Set<Integer> change(int setting, Set<Integer> ahead) {
    if (setting == 0) {
      topics++;
      offsets.saved().clear();
      oracle.newTopic();
      return Set.of();
    }
    if (setting == 1) {
      comparisons++;
      if (setup.restyles) {
        setup.restyle(random);
        trace(() -> "it is read in another way: " + setup.style);
      }
    } else {
      renameSnapshot();
    }
    oracle.newSnapshot();
    return ahead;
  }

  /** Keys are made of something else: nothing deletes the old ones. */
  private void rekey() {
    setup.rekey(random);
    trace(() -> "keys are " + setup.keyKind);
    offsets.saved().clear();
    oracle.forgotten();
  }

  /** Has a new snapshot id, or an earlier one if a record has the one of now. */
  private void renameSnapshot() {
    boolean returns =
        setup.returnsToSnapshots
            && snapshots > 0
            && offsets.latestSnapshot().equals(snapshotId())
            && random.nextBoolean();
    snapshot = returns ? (snapshot + 1 + random.nextInt(snapshots)) % (snapshots + 1) : ++snapshots;
    trace(() -> "snapshot.id is " + snapshotId());
  }

  /** An operator stops the connector, alters its offsets or its configuration, and resumes it. */
  private void operate(int choice) {
    die();
    Set<Integer> ahead = oracle.crashed(offsets.saved(), offsets.snapshotted(snapshotId()));
    switch (choice) {
      case 7 -> rewind();
      case 8 -> resetPosition();
      case 9 -> {
        offsets.reset();
        oracle.forgotten();
      }
      default -> ahead = change(choice - 10, ahead);
    }
    trace(() -> "an operator has done " + choice);
    begin(ahead);
  }

  private void rewind() {
    offsets.rewind(random);
    if (!offsets.hasPosition()) {
      oracle.positionReplaced();
    }
  }

  private void resetPosition() {
    offsets.resetPosition();
    oracle.positionReplaced();
  }

  /** Makes that many requests; time passes as the fetcher requires. */
  void drive(int requests) {
    for (int i = 0; i < requests; i++) {
      int before = service.requests();
      for (int turn = 0; turn < 4 && service.requests() == before; turn++) {
        long due = task.step() - time.nanoseconds();
        if (service.requests() == before && due > 0) {
          time.sleep(TimeUnit.NANOSECONDS.toMillis(due) + 1);
        }
      }
    }
  }

  /**
   * While the rows of a response are read, Connect takes and acknowledges records, and time passes.
   */
  void meanwhile() {
    if (!calm && setup.slow > 0 && ofConnect.nextInt(4) == 0) {
      time.sleep(1 + ofConnect.nextLong(setup.slow));
    }
    if (!calm && ofConnect.nextInt(4) == 0) {
      worker.poll(1 + ofConnect.nextInt(8));
      worker.progress(ofConnect);
    }
  }

  /** Most rows vanish, or come back. */
  private void alarm(boolean vanish) {
    if (!setup.alarms) {
      return;
    }
    long now = time.server();
    for (int key = 0; key < setup.keys; key++) {
      if (random.nextInt(4) > 0) {
        table.write(key, vanish ? null : setup.content(random), time.dated(now), now);
      }
    }
    trace(() -> vanish ? "most rows vanish" : "most rows change");
  }

  /** A row goes between two pages of an increment whose rows no later lookback reaches. */
  private void shift() {
    mutate(setup.keys);
    time.sleep(2 * Setup.LOOKBACK);
    drive(1);
    int key = random.nextInt(setup.keys);
    table.write(key, null, time.dated(time.server()), time.server());
    trace(() -> "shifts " + table.newest(key));
    drive(2);
  }

  private void mutate(int rows) {
    for (int i = 0; i < rows; i++) {
      int key = random.nextInt(setup.keys);
      long now = time.server();
      long late = setup.late > 0 && random.nextInt(3) == 0 ? random.nextLong(setup.late) : 0;
      String content = random.nextInt(5) == 0 ? null : setup.content(random);
      Flaw flaw = content == null ? Flaw.NONE : setup.flaw(random);
      String shown = flaw == Flaw.DAMAGED ? RowText.REPLACED : content;
      table.write(key, shown, modified(key, now), now + late, flaw);
      trace(() -> "changes " + table.newest(key) + " visible at " + table.newest(key).visible());
      if (random.nextBoolean()) {
        time.sleep(random.nextInt(5_000));
      }
    }
  }

  /** The service's clock is set: it is that far ahead of the true time from now on. */
  private void setClock(long ahead) {
    latest = Math.max(latest, time.server()) + Math.max(0, time.dated(0) - ahead);
    time.setService(ahead);
    trace(() -> "the service's clock is " + ahead + " ahead");
  }

  /** The time of modification of a row that is written now: often in the future, or long ago. */
  private long modified(int key, long now) {
    boolean isOdd = setup.oddTimes && random.nextInt(3) == 0;
    long away = isOdd ? random.nextLong(-20 * Setup.HOUR, 2 * Setup.HOUR) : 0;
    if (isOdd) {
      odd.add(key);
    } else {
      odd.remove(key);
    }
    latest = Math.max(latest, now + away);
    return time.dated(now) + away;
  }

  private void pass() {
    if (setup.jumps > 0 && random.nextBoolean()) {
      setClock(random.nextBoolean() ? 0 : random.nextLong(-setup.jumps, setup.jumps));
    }
    long span =
        switch (random.nextInt(5)) {
          case 0 -> Setup.SECOND;
          case 1 -> Setup.MINUTE;
          case 2 -> 10 * Setup.MINUTE;
          case 3 -> Setup.HOUR;
          default -> 8 * Setup.HOUR;
        };
    time.sleep(1 + random.nextLong(span));
    trace(() -> "it is " + time.server());
  }

  private void crash() {
    boolean switches = setup.switches && !calm && random.nextInt(3) == 0 && maySwitch();
    die();
    Set<Integer> ahead = oracle.crashed(offsets.saved(), offsets.snapshotted(snapshotId()));
    if (switches) {
      setup.exactlyOnce = !setup.exactlyOnce;
      oracle.switched();
      if (!setup.baseline && random.nextInt(3) == 0) {
        rewind();
      }
      trace(() -> "an operator has it delivered " + (setup.exactlyOnce ? "exactly" : "at least"));
    }
    begin(ahead);
  }

  private void die() {
    trace(() -> "crash at " + time.server());
    worker.crash(random);
    zombie = null;
  }

  /** Whether delivery may change: at least once, a checkpoint must be stored, and all before it. */
  private boolean maySwitch() {
    boolean may = setup.exactlyOnce;
    for (int i = 0; i < 20 && !may; i++) {
      drive(1);
      worker.settle();
      may = checkpointed;
    }
    return may;
  }

  private void lose() {
    die();
    Set<Integer> ahead = oracle.crashed(offsets.saved(), offsets.snapshotted(snapshotId()));
    offsets
        .lose(random)
        .ifPresent(
            lost -> {
              trace(() -> "a segment is lost, and with it " + lost.keys());
              if (!oracle.lostUnseen(lost.keys())) {
                oracle.lost(lost.keys(), lost.shown());
              }
            });
    begin(ahead);
  }

  /** Stored offsets are overwritten with something else, and the task is started several times. */
  private void damage() {
    die();
    Set<Integer> ahead = oracle.crashed(offsets.saved(), offsets.snapshotted(snapshotId()));
    if (random.nextInt(4) == 0 && offsets.damagePosition()) {
      trace(() -> "the position is damaged");
      mustRefuse("POS-605");
      resetPosition();
    }
    offsets
        .damage(random)
        .ifPresent(
            keys -> {
              trace(() -> "segments are damaged, and with them " + keys);
              oracle.lost(keys, true);
            });
    begin(ahead);
    for (int restarts = random.nextInt(3); restarts > 0; restarts--) {
      drive(1 + random.nextInt(3));
      worker.poll(1 + random.nextInt(8));
      worker.progress(random);
      crash();
    }
  }

  private void mustRefuse(String code) {
    try {
      begin(Set.of());
    } catch (ConnectException e) {
      if (e.getMessage().startsWith(code)) {
        return;
      }
      throw e;
    }
    throw new Violation("a task starts from a damaged position");
  }

  private void startBeside() {
    trace(() -> "another begins beside it at " + time.server());
    zombie = worker;
    begin(oracle.crashed(offsets.saved(), offsets.snapshotted(snapshotId())));
  }

  /** An offset is stored. */
  void stored(EmittedRecord sent) {
    offsets.store(sent);
    oracle.stored(sent);
    if (sent.kind() == EmittedRecord.Kind.CHECKPOINT) {
      checkpointed |= sent.owner() == task;
      oracle.checkpoint();
    }
  }

  /** Ends all faults and changes: the topic must come to agree with the table. */
  @Override
  public void settle() {
    trace(() -> "all is calm at " + time.server());
    calm = true;
    zombie = null;
    service.calm();
    if (setup.retunes) {
      crash(); // What follows is bounded by the usual settings.
    }
    if (setup.mayMiss()) {
      // Until the service's clock has reached every time, and is known: every row is shown then.
      time.sleep(Math.max(0, latest - time.server()));
    }
    if ((setup.mayMiss() || setup.lag > 0) && maxKeys == PLENTY) {
      catchUp(); // What a list in pages doubts is right once it changes behind its end.
    }
    beQuietAboutFlaws();
    mend();
    if (maxKeys < PLENTY) {
      maxKeys = PLENTY;
      crash();
    }
    time.sleep(setup.late + Setup.SECOND);
    catchUp();
    String wrong = oracle.wrongRows(key -> !mayMiss(key));
    // Of rows that a baseline reads, nothing is due before it is complete.
    // A snapshot in pages may have overlooked a row that no increment asks for.
    boolean mayMiss = setup.flawed || (setup.style.filtered() && setup.shifting());
    if (wrong != null && !mayMiss && !task.isSilent()) {
      throw new Violation("missed without a reconciliation: " + wrong);
    }
    // Until the next reconciliation but one, as the increment before the first makes rows fresh.
    // An increment whose window is shorter than the lookback takes several requests.
    long most = 200 * (1 + Setup.LOOKBACK / setup.windowMax.toMillis());
    for (int i = 0; i < most && unsettled() != null; i++) {
      if (i % (most / 2) == 0 && setup.style.filtered() && setup.reconcilesSoon()) {
        // The first reconciliation of a process waits one lookback.
        time.sleep(Math.max(setup.reconcileInterval(), Setup.LOOKBACK));
      } else if (i == most / 2 && setup.alarms) {
        time.sleep(Setup.LOOKBACK); // Guarded deletes wait for a time, not for so many requests.
      }
      drive(1);
      worker.settle();
    }
    String never = unsettled();
    if (never != null) {
      throw new Violation("never settles: " + never);
    }
    beQuiet();
    if (offsets.number() < task.latestNumber()) {
      throw new Violation("the position stands still behind event " + task.latestNumber());
    }
    disproveAlarm();
    // A restart without changes must not break the law.
    crash();
    catchUp();
  }

  /** Turns every flawed row into a good one. */
  private void mend() {
    long now = time.server();
    for (int key = 0; key < setup.keys; key++) {
      boolean isOutOfReach = isOutOfReach(key);
      boolean flawed = table.newest(key).flaw() != Flaw.NONE || isOutOfReach;
      if (table.newest(key).exists() && flawed) {
        // What an increment may take for a known dead letter is no content of before.
        String content = isOutOfReach ? "mended" : setup.content(random);
        table.write(key, content, time.dated(now), now);
      }
    }
  }

  /**
   * Of a date range, which of two rows remained is found by a reconciliation only; one that is too
   * old for it is right once it changes.
   */
  private boolean isOutOfReach(int key) {
    // Of a replica that lags, a page may be missing twice that the list has by now.
    boolean misses = mayMiss(key) || (setup.lag > 0 && setup.shifting());
    boolean unseen = setup.style.filtered() && misses && !setup.reconcilesSoon();
    return unseen
        || (setup.style == Style.DATE_RANGE
            && (table.hadTwin(key) || mayMiss(key))
            && table.newest(key).modified()
                < time.dated(time.server()) - Setup.RECONCILE_WINDOW / 2);
  }

  /** Whether no increment may ask for the time of the row. */
  boolean mayMiss(int key) {
    return setup.jumps > 0 || odd.contains(key);
  }

  /** Rows that stay flawed in the same way are no news. */
  private void beQuietAboutFlaws() {
    boolean isVolatile =
        IntStream.range(0, setup.keys).anyMatch(key -> table.newest(key).flaw() == Flaw.VOLATILE);
    if (setup.flawed && !isVolatile && maxKeys == PLENTY) {
      time.sleep(setup.late + setup.stale + Setup.SECOND);
      catchUp();
      beQuiet();
    }
  }

  /** After the last change two complete passes bring what there is; then nothing more comes. */
  private void beQuiet() {
    passes(setup.shifting() ? 4 : 1 + setup.mostReads());
    // A guarded delete waits for its confirmation, and the first reconciliation for a lookback.
    time.sleep(20 * Setup.MINUTE);
    passes(setup.shifting() || !setup.reconcilesSoon() ? 2 : 1);
    // The pages of the list that confirms it take turns with increments, which may come soon.
    for (int i = 0;
        (setup.alarms || setup.shifting()) && !setup.reconcilesSoon() && i < 3 * setup.keys;
        i++) {
      drive(1);
      worker.settle();
    }
    int before = news;
    passes(2);
    if (news > before) {
      throw new Violation("not quiet after calm: " + (news - before) + " more");
    }
  }

  private void passes(int count) {
    for (int i = 0; i < count; i++) {
      if (setup.style.filtered() && setup.reconcilesSoon()) {
        time.sleep(Math.max(setup.reconcileInterval(), Setup.LOOKBACK));
      }
      long target = time.server();
      boolean reconciles = !setup.style.filtered() || setup.reconcilesSoon();
      long most = mostRequests();
      for (int requests = 0; reconciles && task.passSince() < target; requests++) {
        if (requests > most) {
          throw new Violation("stuck: no pass since " + task.passSince());
        }
        drive(1);
        worker.settle();
      }
      catchUp();
    }
  }

  /** An alarm ends with the first passes that disprove it: what is really gone goes with them. */
  private void disproveAlarm() {
    if (!setup.alarms
        || setup.style.filtered()
        || setup.dropped != Setup.Dropped.NOTHING
        || task.knownRows() < 24) {
      return;
    }
    time.sleep(2 * Setup.HOUR);
    passes(1);
    IntStream.range(0, setup.keys)
        .filter(key -> table.newest(key).exists())
        .findFirst()
        .ifPresent(key -> table.write(key, null, time.server(), time.server()));
    service.emptyOnce();
    passes(1);
    passes(setup.shifting() ? 3 : 1);
    String missed = oracle.missedDeletes();
    if (missed != null) {
      throw new Violation("an alarm outlives its cause: " + missed);
    }
  }

  /** Whether the first read, which emits nothing, is the only one so far. */
  boolean readsBaseline() {
    return setup.baseline && snapshots == 0 && !baselineIsLost;
  }

  /**
   * A task resumes. At least once, an event behind the baseline may have been stored before the
   * baseline itself, which a crash then lost: all is read again, and emitted.
   */
  void resumes(StreamOffset position) {
    baselineIsLost |=
        !setup.exactlyOnce
            && position.watermark().equals(Instant.MIN)
            && !position.context().snapshot().isSilent();
  }

  /** Something was emitted. */
  void news() {
    news++;
  }

  private String unsettled() {
    String wrong = oracle.wrongRows(key -> true);
    boolean deletes =
        setup.style != Style.DATE_RANGE && (setup.reconcilesSoon() || !setup.style.filtered());
    return wrong == null && deletes ? oracle.missedDeletes() : wrong;
  }

  /**
   * Lets time pass until everything that is there now was read. Twice, since a window that was cut
   * into several counts from the read of the first.
   */
  private void catchUp() {
    for (int i = 0; i < 2; i++) {
      long target = time.server();
      long most = mostRequests();
      int requests = 0;
      while (task.completeSince() < target) {
        if (++requests > most) {
          throw new Violation("stuck: complete since " + task.completeSince());
        }
        drive(1);
        worker.settle();
      }
    }
  }

  /**
   * So many requests complete whatever is read: a few, and the windows of all the time that there
   * is to read. A wrong date may have moved the beginning back.
   */
  private long mostRequests() {
    long span = time.server() - SimulatedTime.START + Setup.AGE + MOST_WRONG;
    return (setup.style == Style.PAGED_INCREMENTS ? 900 : 300)
        + 2 * span / setup.windowMax.toMillis();
  }

  Setup setup() {
    return setup;
  }

  SimulatedTime time() {
    return time;
  }

  Table table() {
    return table;
  }

  SimulatedService service() {
    return service;
  }

  StoredOffsets offsets() {
    return offsets;
  }

  Oracle oracle() {
    return oracle;
  }

  SimulatedTask task() {
    return task;
  }

  SplittableRandom random() {
    return random;
  }

  DigestScope scope() {
    return new DigestScope(
        "pos.things" + topics,
        setup.keyKind.contract(false).keyLayout(),
        "f" + comparisons,
        "things",
        "");
  }

  StreamSettings settings() {
    return setup.settings(maxKeys, tuning);
  }

  String snapshotId() {
    return "s" + snapshot;
  }

  boolean isCalm() {
    return calm;
  }

  void trace(Supplier<String> what) {
    if (trace != null) {
      trace.add(what.get());
    }
  }

  static List<String> newTrace() {
    return new ArrayList<>();
  }
}
