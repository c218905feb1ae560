package io.posconnect.tool;

import static java.util.Objects.requireNonNull;

import io.posconnect.change.ContentHash;
import io.posconnect.client.Rows;
import io.posconnect.config.SourceConfig;
import io.posconnect.fetch.Occurrences;
import io.posconnect.fetch.Occurrences.State;
import io.posconnect.json.Row;
import io.posconnect.problem.Incident;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.Destination;
import io.posconnect.record.Destination.EventFormat;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.RowContent;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.Key;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.PageProgress;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Resource;
import io.posconnect.resource.StartFrom;
import io.posconnect.resource.Stream;
import io.posconnect.resource.StreamSettings;
import io.posconnect.resource.Window;
import io.posconnect.task.RecordContracts;
import io.posconnect.tool.AuditedKeys.Outcome;
import io.posconnect.tool.AuditedKeys.Place;
import io.posconnect.tool.Checkpoints.Progress;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Struct;

/** One stream of an audit: takes its records from the topic, and reads its rows at the service. */
final class AuditedStream {

  /** A transaction of the connector commits within it, and a batch of its producer arrives. */
  static final Duration COMMIT = Duration.ofSeconds(10);

  /** The content of a row that cannot be hashed. */
  private static final long UNKNOWN = Long.MIN_VALUE;

  /** The op of rows that a snapshot has emitted. */
  private static final String SNAPSHOT = Operation.READ.code();

  static final String UNREADABLE = "that cannot be read as an event";
  private static final String NO_TOMBSTONE =
      "of a delete, without the tombstone behind it: lost, or tombstones.on.delete was off then";

  private static final String OTHER_FORMAT =
      "of another event.format than the configuration: consumers of the one cannot read the other";

  final Stream stream;
  final StreamSettings settings;
  final Privacy privacy;
  private final RowSchema contract;

  /** The field-true form of its rows. */
  final RowContent content;

  /** Of the contents of rows, without ignored fields. */
  final ContentHash hash;

  final AuditedKeys keys;
  private final Destination destination;

  /** Of its events; empty without a checkpoint. */
  final Optional<EventNumbers> numbers;

  /** Where dates begin; of a list, which is compared whole, long ago unless --since is given. */
  final Instant start;

  /** Whether every row is read that the topic may have. */
  final boolean isWhole;

  /** Service time at the beginning of the first round; the distant past before it. */
  Instant beganAt = Instant.MIN;

  /** Service time at which a difference was first seen: the end of the round before the last. */
  Instant seenAt = Instant.MIN;

  /** Service time at the end of the last round. */
  Instant readAt = Instant.MIN;

  /** Number of its events that are not tombstones and whose number cannot be read. */
  long unnumbered;

  /** Number of its rows whose key cannot be read. */
  long unreadable;

  /** What ended it, if something did. */
  Optional<Incident> incident = Optional.empty();

  private final Map<String, Long> defects = new TreeMap<>();

  /** The keys whose delete has no tombstone behind it yet. */
  final Set<Key> withoutTombstone = new HashSet<>();

  /** The keys whose latest record has another format than the configuration. */
  private final Set<Key> ofOtherFormat = new HashSet<>();

  /** Begins before its topic is read, with the progress that the checkpoints show by then. */
  AuditedStream(Auditor audit, Stream stream) {
    SourceConfig config = audit.config();
    Optional<Progress> progress = audit.checkpoints().of(stream);
    this.stream = stream;
    this.settings = config.settings(stream);
    this.privacy = config.privacy(stream.resource());
    this.contract = RecordContracts.contract(config, stream);
    this.content = new RowContent(contract, stream.location());
    this.hash = new ContentHash(content.names(settings.resource().ignoreFields()));
    boolean isOfBaseline =
        config.baseline(stream) && !progress.filter(each -> each.filled).isPresent();
    this.keys =
        new AuditedKeys(
            audit.options().mostListed(), isOfBaseline ? Outcome.BASELINE : Outcome.MISSING);
    this.destination = config.destination(stream);
    this.numbers = progress.map(each -> new EventNumbers(each.numbering));
    Optional<StartFrom> configured = settings.beginning();
    boolean isFixed = configured.filter(StartFrom.Fixed.class::isInstance).isPresent();
    Optional<Instant> beginning =
        configured.flatMap(dates -> progress.flatMap(each -> each.beginning));
    this.start =
        audit
            .options()
            .since()
            .or(() -> beginning)
            .or(() -> configured.map(each -> each.resolve(Instant.now())))
            .orElse(Instant.EPOCH);
    this.isWhole =
        settings.resource().retrieval().provesAbsence()
            || (audit.options().since().isEmpty() && (isFixed || beginning.isPresent()));
  }

  /**
   * The time from what a checkpoint is complete to until a running connector has read so often
   * since, and written the checkpoint of that, with a reserve.
   */
  Duration reads(int times, Progress progress) {
    return settings
        .resource()
        .pollInterval()
        .plus(settings.checkpointInterval())
        .plus(progress.taken)
        .multipliedBy(times)
        .plus(COMMIT);
  }

  /** What is wrong with records of the stream, and with how many. */
  Map<String, Long> defects() {
    Map<String, Long> all = new TreeMap<>(defects);
    all.merge(NO_TOMBSTONE, (long) withoutTombstone.size(), Long::sum);
    all.put(OTHER_FORMAT, (long) ofOtherFormat.size());
    return all;
  }

  boolean isOpen() {
    return incident.isEmpty() && !keys.areSettled();
  }

  /**
   * Adds a record of the topic.
   *
   * @param intact whether nothing was removed from the partition between the record and its end
   * @return whether the topic has, in that partition, an earlier record of the same key
   */
  boolean add(EventRecord event, Struct key, boolean intact) {
    try {
      Key identity = content.keyOf(key);
      Place place = new Place(event.record().partition(), event.record().offset());
      boolean again = keys.isIn(place.partition(), identity);
      Optional<Numbering> numbering = event.numbering();
      numbers.ifPresent(
          all -> numbering.ifPresent(n -> all.add(place.partition(), n, intact || again)));
      boolean isEvent = event.value().isPresent();
      unnumbered += isEvent && numbering.isEmpty() ? 1 : 0;
      Optional<Row> row = event.row().map(each -> content.of(identity, each));
      ofOtherFormat.remove(identity);
      if (isEvent && event.envelope().isPresent() == (destination.format() == EventFormat.FLAT)) {
        ofOtherFormat.add(identity);
      }
      if (event.row().filter(each -> !stream.location().equals(each.get("location"))).isPresent()) {
        add("with a row of another location than its key");
      }
      if (event.op().filter(SNAPSHOT::equals).isPresent()) {
        keys.absent = Outcome.MISSING; // Retention removes checkpoints, but not what they filled.
      }
      if (!event.isConsistent()) {
        add("with an op that does not fit its row");
      }
      if (withoutTombstone.remove(identity) && event.record().value() != null) {
        add(NO_TOMBSTONE);
      }
      if (row.isPresent()) {
        keys.published(identity, hash.of(row.get()), place);
      } else if (event.record().value() == null || isEvent) {
        keys.deleted(identity, place);
        if (destination.tombstones() && isEvent) {
          withoutTombstone.add(identity);
        }
      } else {
        add(UNREADABLE);
      }
      return again;
    } catch (RuntimeException e) {
      add(UNREADABLE); // not a record of this contract; the reason could quote it
      return false;
    }
  }

  private void add(String defect) {
    defects.merge(defect, 1L, Long::sum);
  }

  /**
   * Reads the rows of the service.
   *
   * @param removedTo up to which time events may have been removed from the topic
   */
  void read(StreamReader reader, Instant removedTo) {
    keys.roundBegins();
    // This machine's clock may be behind the service's.
    Instant now = Collections.max(List.of(Instant.now(), readAt));
    Instant before = readAt;
    unreadable = 0;
    Round round = new Round(removedTo);
    incident = reader.read(SampleSpans.all(settings, now, start, removedTo), round).incident();
    round.broken.forEach(base -> keys.broken(round.key(base, UNKNOWN)));
    keys.roundEnds(isWhole);
    seenAt = before.equals(Instant.MIN) ? readAt : before;
  }

  private final class Round implements StreamReader.Visitor {

    private final Resource resource = settings.resource();

    /** The keys of rows that cannot be events: which of several rows each is, its end shows. */
    private final List<Key> broken = new ArrayList<>();

    private int brokenBefore;

    private long unreadableBefore;

    /** The keys of their dead letters. */
    private final Set<Key> rejected = new HashSet<>();

    private final List<Key> ofResponse = new ArrayList<>();

    /** Of keys with several rows, and of those whose first row differs. */
    private final Occurrences occurrences = new Occurrences();

    private final Instant removedTo;
    private PageProgress pages = new PageProgress();
    private boolean removable;

    Round(Instant removedTo) {
      this.removedTo = removedTo;
    }

    @Override
    public void begins(Window span) {
      removable = span.from().isBefore(removedTo);
      pages = new PageProgress();
    }

    @Override
    public void opened(Rows response) {
      ofResponse.clear();
      occurrences.responseBegins(false);
      brokenBefore = broken.size();
      unreadableBefore = unreadable;
      pages.begins();
      readAt = response.date().orElseGet(Instant::now);
      beganAt = beganAt.equals(Instant.MIN) ? readAt : beganAt;
    }

    @Override
    public boolean row(Row row, Rows response) {
      try {
        compare(contract.keyOf(row), row);
      } catch (BrokenRowException e) {
        reject(row);
        unreadable++;
      }
      return true;
    }

    private void compare(Key base, Row row) {
      try {
        contract.admit(row, settings.eventMaxBytes());
        Row typed = content.of(numbered(base, 1), row);
        pages.row(base, !keys.isShown(numbered(base, 1)));
        long contentHash = hash.of(typed);
        Key key = key(base, contentHash);
        ofResponse.add(key);
        keys.shown(key, contentHash, typed, removable);
      } catch (BrokenRowException e) {
        reject(row);
        broken.add(base);
      }
    }

    private void reject(Row row) {
      Key id = Key.deadLetter(HexFormat.fromHexDigitsToLong(row.hash(), 0, Long.SIZE / 4));
      pages.row(id, rejected.add(id));
    }

    private Key numbered(Key base, int number) {
      return resource.occurrences() ? contract.occurrence(base, number) : base;
    }

    /**
     * The row's key, with the number that the connector gives to it: it keeps that of a content
     * that it knows.
     */
    private Key key(Key base, long content) {
      Key first = numbered(base, 1);
      boolean isFirst = !keys.isShown(first) && keys.published(first) == content;
      return isFirst || !resource.occurrences()
          ? first
          : requireNonNull(
              occurrences.next(
                  base, number -> numbered(base, number), key -> state(key, content), false));
    }

    private State state(Key key, long content) {
      if (keys.isShown(key)) {
        return State.TAKEN;
      }
      return keys.published(key) == content ? State.KNOWN : State.VACANT;
    }

    @Override
    public void brokeOff() {
      ofResponse.forEach(keys::takeBack);
      broken.subList(brokenBefore, broken.size()).clear();
      unreadable = unreadableBefore;
      occurrences.rollBack();
    }

    @Override
    public boolean isNew() {
      return pages.endsNew();
    }
  }
}
