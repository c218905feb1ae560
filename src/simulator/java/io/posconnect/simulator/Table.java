package io.posconnect.simulator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.posconnect.simulator.Simulator.ServiceClock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.UnaryOperator;

/**
 * The rows of one resource at one location, changeable while they are being served. Safe for
 * several threads; every change is visible to the next request at once.
 *
 * <p>A row is named by its id: the value of its key field where the resource has one, an internal
 * number where it has none. Naming a row that does not exist is an {@link
 * IllegalArgumentException}.
 */
public final class Table {

  /** The reach of {@link #asOf} into the past. */
  static final Duration MEMORY = Duration.ofMinutes(15);

  private static final Row[] NO_ROWS = {};

  // Of a longer list the text is never all in memory.
  private static final int MOST_RENDERED = 1_000;

  private record Change(Instant at, long id, Row before) {}

  private record Shown(Row row, RowTemplate template) {}

  private final String resource;
  private final RowTemplate template;
  private final ServiceClock clock;
  private final long seed;
  private final TreeMap<Long, Row> rows = new TreeMap<>();
  private final Deque<Change> changes = new ArrayDeque<>();
  private final Map<Long, Map.Entry<Shown, byte[]>> renderings = new ConcurrentHashMap<>();
  private Row[] snapshot = NO_ROWS;
  private boolean snapshotIsCurrent = true;
  private long lastId;

  Table(String resource, RowTemplate template, ServiceClock clock, long seed) {
    this.resource = resource;
    this.template = template;
    this.clock = clock;
    this.seed = seed;
  }

  public String resource() {
    return resource;
  }

  RowTemplate template() {
    return template;
  }

  /**
   * The row's JSON in UTF-8. That of the first rows is kept, since clients read the same rows again
   * and again.
   */
  byte[] render(Row row, RowTemplate template) {
    Shown shown = new Shown(row, template);
    Map.Entry<Shown, byte[]> kept = renderings.get(row.id());
    if (kept != null && kept.getKey().equals(shown)) {
      return kept.getValue();
    }
    byte[] json = template.render(row);
    if (kept != null || renderings.size() < MOST_RENDERED) {
      renderings.put(row.id(), Map.entry(shown, json));
    }
    return json;
  }

  public synchronized int size() {
    return rows.size();
  }

  /** The ids of all rows, ascending: the order in which they are served. */
  public synchronized List<Long> ids() {
    return List.copyOf(rows.keySet());
  }

  /** Adds a row with random content, now. Returns its id. */
  public long create() {
    return create(-1, clock.now());
  }

  /** Adds a row whose time of modification is the given time: a late commit when that is past. */
  public long createAt(Instant modified) {
    return create(-1, modified);
  }

  /** Adds a row that belongs to another resource's row. */
  public synchronized long create(long link, Instant modified) {
    long id = ++lastId;
    long rowSeed = Row.mix(seed ^ Row.mix(id));
    long millis = modified.toEpochMilli();
    long to = link >= 0 ? link : 1 + Long.remainderUnsigned(rowSeed, 1000);
    put(new Row(id, rowSeed, to, millis, millis, 1, null));
    return id;
  }

  /** Adds a row with content of the caller's own, made by editing a random one. */
  public synchronized long createEdited(UnaryOperator<ObjectNode> edit) {
    Row row = existing(create());
    put(row.touched(row.modified(), template.edited(row, edit)));
    return row.id();
  }

  /** Adds a row whose JSON is exactly this text, whatever it is; later changes replace it all. */
  public synchronized long createRaw(String json) {
    Row row = existing(create());
    put(row.touched(row.modified(), json));
    return row.id();
  }

  /** Adds rows with random content; they are never all in memory as text. */
  public synchronized void generate(int count) {
    Instant now = clock.now();
    for (int i = 0; i < count; i++) {
      create(-1, now);
    }
  }

  /** Adds a row with the same content; only a resource without ids shows two identical rows. */
  public synchronized long duplicate(long id) {
    Row row = existing(id);
    long copy = ++lastId;
    put(
        new Row(
            copy,
            row.seed(),
            row.link(),
            row.created(),
            row.modified(),
            row.revision(),
            row.text()));
    return copy;
  }

  /** Changes the row's content, now. Returns its new revision. */
  public int update(long id) {
    return updateAt(id, clock.now());
  }

  /** Changes the row's content, and sets its time of modification. */
  public synchronized int updateAt(long id, Instant modified) {
    Row row = existing(id);
    Row next = row.revised(modified.toEpochMilli(), row.text());
    put(row.text() == null ? next : next.touched(next.modified(), template.restamped(next)));
    return next.revision();
  }

  /** Changes the row's content by hand, now. Returns its new revision. */
  public synchronized int updateEdited(long id, UnaryOperator<ObjectNode> edit) {
    updateAt(id, clock.now());
    Row row = existing(id);
    put(row.touched(row.modified(), template.edited(row, edit)));
    return row.revision();
  }

  /** Replaces the row's JSON by exactly this text, now. Returns its new revision. */
  public synchronized int updateRaw(long id, String json) {
    Row next = existing(id).revised(clock.now().toEpochMilli(), json);
    put(next);
    return next.revision();
  }

  public synchronized void delete(long id) {
    Row row = existing(id);
    rows.remove(id);
    renderings.remove(id);
    remember(row.id(), row);
  }

  /** The present content of the row. */
  public JsonNode row(long id) {
    Row row;
    synchronized (this) {
      row = existing(id);
    }
    return template.parse(row);
  }

  public synchronized int revision(long id) {
    return existing(id).revision();
  }

  /** Every existing row's content by its id. */
  public Map<String, JsonNode> truth() {
    Map<String, JsonNode> truth = new LinkedHashMap<>();
    for (Row row : rows()) {
      truth.put(Long.toString(row.id()), template.parse(row));
    }
    return truth;
  }

  /** Every existing row's revision by its id. */
  public Map<Long, Integer> revisions() {
    Map<Long, Integer> revisions = new LinkedHashMap<>();
    for (Row row : rows()) {
      revisions.put(row.id(), row.revision());
    }
    return revisions;
  }

  /** All rows at this moment; shared, never to be written to. */
  synchronized Row[] rows() {
    if (!snapshotIsCurrent) {
      snapshot = rows.values().toArray(NO_ROWS);
      snapshotIsCurrent = true;
    }
    return snapshot;
  }

  /** All rows as they were at that time; at most {@link #MEMORY} ago. */
  synchronized Row[] asOf(Instant time) {
    TreeMap<Long, Row> then = new TreeMap<>(rows);
    for (Iterator<Change> each = changes.descendingIterator(); each.hasNext(); ) {
      Change change = each.next();
      if (!change.at().isAfter(time)) {
        break;
      }
      if (change.before() == null) {
        then.remove(change.id());
      } else {
        then.put(change.id(), change.before());
      }
    }
    return then.values().toArray(NO_ROWS);
  }

  private Row existing(long id) {
    Row row = rows.get(id);
    if (row == null) {
      throw new IllegalArgumentException(resource + " has no row " + id);
    }
    return row;
  }

  private void put(Row row) {
    remember(row.id(), rows.put(row.id(), row));
  }

  private void remember(long id, Row before) {
    snapshotIsCurrent = false;
    Instant now = clock.worldTime();
    changes.addLast(new Change(now, id, before));
    Instant horizon = now.minus(MEMORY);
    while (!changes.isEmpty() && changes.peekFirst().at().isBefore(horizon)) {
      changes.removeFirst();
    }
  }

  @Override
  public String toString() {
    return resource + "[" + size() + " rows]";
  }
}
