package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Io;
import java.io.File;
import java.io.IOException;
import java.lang.reflect.Method;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * A law that cannot catch what it is there for is none: each fault, as a developer might make it by
 * mistake, is written into the sources, compiled, and found by the law that is there for it.
 */
@ExtendWith(Quiet.class)
class PlantedFaultsTest {

  private static final Path SOURCES = Path.of("src/main/java/io/posconnect");

  private static final JavaCompiler JAVAC = ToolProvider.getSystemJavaCompiler();
  private static final StandardJavaFileManager FILES =
      JAVAC.getStandardFileManager(null, null, null);

  private static final int ENOUGH = 20_000;
  private static final int ENOUGH_OF_DIGESTS = 400;

  /** Of the history that breaks a law; the digest's has none. */
  private static final Pattern SEED = Pattern.compile(", seed (\\d+)");

  /** Asks a test class, loaded anew, how its law is broken. */
  private record Law(String test, int enough, List<?> arguments) {

    /** Returns how the first of so many histories breaks it; null where none does. */
    String broken(ClassLoader loader, int histories) throws ReflectiveOperationException {
      Object[] all = Stream.concat(arguments.stream(), Stream.of(histories)).toArray();
      for (Method method : loader.loadClass("io.posconnect." + test).getDeclaredMethods()) {
        if (method.getName().equals("broken")) {
          method.setAccessible(true);
          return (String) method.invoke(null, all);
        }
      }
      throw new NoSuchMethodException(test + ".broken");
    }

    /** The same, from another seed on. */
    Law from(long seed) {
      List<Object> others = new ArrayList<>(arguments);
      others.set(others.size() - 1, seed);
      return new Law(test, enough, others);
    }
  }

  private record Edit(String file, String right, String wrong) {}

  private record Fault(Law law, String what, List<Edit> edits) {

    /** Has also another text in place of one that is there once, however its lines are broken. */
    Fault in(String file, String right, String wrong) {
      List<Edit> more = new ArrayList<>(edits);
      more.add(new Edit(file, right, wrong));
      return new Fault(law, what, more);
    }

    @Override
    public String toString() {
      return what;
    }
  }

  private static Fault digest(String what) {
    return digest(1, what);
  }

  /**
   * @param seed of histories of which one finds it soon, where few do
   */
  private static Fault digest(long seed, String what) {
    return new Fault(
        new Law("change.DigestLawTest", ENOUGH_OF_DIGESTS, List.of(seed)), what, List.of());
  }

  /**
   * @param from the first seed to try: close before one that finds it, where few do
   */
  private static Fault crash(String style, long from, String what) {
    return new Fault(new Law("fetch.CrashLawTest", ENOUGH, List.of(style, from)), what, List.of());
  }

  private static Fault occurrences(String style, long from, String what) {
    return new Fault(
        new Law("fetch.OccurrencesLawTest", ENOUGH, List.of(style, from)), what, List.of());
  }

  private static Fault liveness(String style, boolean two, long from, String what) {
    return new Fault(
        new Law("fetch.LivenessLawTest", ENOUGH, List.of(style, two, from)), what, List.of());
  }

  private static Stream<Fault> ofTheDigest() {
    return Stream.of(
        digest("releases a segment before the copies of its keys are settled")
            .in(
                "change/Digest.java",
                "if (here ? !table.isLive(at) : fate == Fate.WRITTEN) {",
                "if (!here || !table.isLive(at)) {"),
        digest(12, "releases an entry whose only successor was dropped")
            .in(
                "change/Digest.java",
                "Runnable earlier = entry < segment.written ? waiting.remove(key) : null;",
                "Runnable earlier = waiting.remove(key);"),
        digest("holds a log of which every row changes with every read")
            .in("change/Digest.java", "if (search) {", "if (search && some.isEmpty()) {"),
        digest("counts a record that was dropped as written")
            .in("change/SegmentLog.java", "if (written) {", "if (written || length > 0) {"),
        digest("leaves no entry of a removal")
            .in("change/Digest.java", "append(key, Word.of(State.REMOVED, 0));", "table.drop(at);"),
        digest("cleans a segment whose records are not all acknowledged")
            .in("change/Segment.java", "return sealed && outstanding == 0;", "return sealed;"),
        digest("replays segments below the head")
            .in(
                "change/Digest.java",
                "each.header().sequence() < newest.head()",
                "each.header().sequence() < 1"),
        digest("looks into too few slots")
            .in(
                "offset/DigestReader.java",
                "static final int WINDOW = 256;",
                "static final int WINDOW = 1;"),
        digest("vouches for what was acknowledged out of order")
            .in("change/SegmentLog.java", "if (image <= limit) {", "if (image > 0) {"),
        digest("gives a slot away that is still needed")
            .in(
                "change/SegmentLog.java",
                "if (segment.written == 0) {",
                "if (segment.written >= 0) {"));
  }

  private static Stream<Fault> ofCrashes() {
    return Stream.of(
        crash("FULL", 186, "a start forgets which keys unreadable rows hold")
            .in(
                "fetch/Suspects.java",
                "void addKey(Key key, long missingSince) {",
                "void addKey(Key key, long missingSince) { if (pass > 0) { return; }"),
        crash("FULL", 4_641, "a start takes unreadable rows for older ones")
            .in("fetch/Suspects.java", "each.group(1)), 1 - age);", "each.group(1)), -age);"),
        crash("MODIFIED", 14, "a checkpoint does not wait for the records of a fetch that broke")
            .in(
                "fetch/StreamFetcher.java",
                "emitter.end(fetch, whole);",
                "emitter.end(fetch, whole); if (!whole) { output.broke(); }")
            .in(
                "fetch/StreamOutput.java",
                "boolean hasNews() {",
                "void broke() { ackTracker.broke(); } boolean hasNews() {")
            .in(
                "fetch/AckTracker.java",
                "private synchronized void releaseReady() {",
                "synchronized void broke() { spans.removeLast(); spans.add(new Span()); }"
                    + " private synchronized void releaseReady() {"),
        crash("MODIFIED", 1, "a batch that is dropped whole is awaited for ever")
            .in(
                "fetch/PolledRecords.java",
                "dropped().forEach(record -> acknowledged(record, false));",
                "dropped();"),
        crash("FULL", 1, "a commit in the middle of a batch counts the rest of it as dropped")
            .in(
                "fetch/PolledRecords.java",
                "dropped().forEach(record -> acknowledged(record, false));",
                "add(List.of()); dropped().forEach(record -> acknowledged(record, false));"),
        crash("MODIFIED", 1, "the watermark comes from the local clock")
            .in(
                "fetch/ServerTime.java",
                "return date.map(this::skew);",
                "return Optional.empty();"),
        crash("FULL", 1, "a delete without a tombstone is awaited twice")
            .in(
                "fetch/StreamOutput.java",
                "int count = records.recordsOfDelete();",
                "int count = 2;"),
        crash("FULL", 14, "a row that is skipped becomes a dead letter")
            .in(
                "fetch/ChangeEmitter.java",
                "settings.rowErrors() == RowErrors.SKIP && !digest.known(id).isCurrent()",
                "settings.rowErrors() == RowErrors.SKIP && skipped.contains(id)"),
        crash("FULL", 1, "a record carries the state before its own change")
            .in(
                "change/Image.java",
                "public Header header() { return header; }",
                ofLength("Math.max(0, header.length() - 1)"))
            .in("change/Image.java", "entry < header.length()", "entry < header().length()"),
        crash("FULL", 1, "a record carries the state when it is written")
            .in(
                "change/Image.java",
                "public Header header() { return header; }",
                ofLength("segment.length()"))
            .in("change/Image.java", "entry < header.length()", "entry < header().length()")
            .in(
                "change/Image.java",
                "long word = entries.word(entry);"
                    + " stored.add(new StoredEntry(entries.key(entry),",
                "long word = segment.entries().word(entry);"
                    + " stored.add(new StoredEntry(segment.entries().key(entry),"),
        crash("MODIFIED", 1, "the digest evicts keys that no increment returns, though it has room")
            .in(
                "fetch/Pass.java",
                "capacity.ended(fetch);",
                "capacity.ended(fetch); if (fetch.kind() == FetchKind.INCREMENT) {"
                    + " digest.forget(Integer.MAX_VALUE, fetch.sinceTick(), key -> true); }"),
        crash("MODIFIED", 660, "a reconciliation wins over an increment that ran meanwhile")
            .in(
                "fetch/FreshKeys.java",
                "return returned.isSince(key, lately)"
                    + " || deleted.isSince(key, lately)"
                    + " || isFresh(fetch, key);",
                "return deleted.isSince(key, lately);"),
        crash("FULL", 1, "a row that becomes a dead letter does not count as seen")
            .in(
                "fetch/Pass.java",
                "fetch.row(key, known.seen()); showed(fetch, key, known, false);"
                    + " digest.see(key); fresh.returned(fetch, key);",
                "")
            .in("fetch/Pass.java", "if (fetch.isPass()) { unreadable.shows(id); } else if", "if"),
        crash("PAGED_INCREMENTS", 233, "an increment in pages counts as whole")
            .in(
                "fetch/ModifiedSincePlan.java",
                "if (!resource.retrieval().shiftingIncrements()) {",
                "if (true) {"),
        crash("MODIFIED", 951_200, "only the first increment repeats what the digest knows")
            .in(
                "fetch/Pass.java",
                "&& known.seen() < repeatsBefore;",
                "&& known.seen() < repeatsBefore && fetch.tick() == repeatsBefore;"),
        crash("PAGED_INCREMENTS", 702_781, "a page of nothing but second rows leads nowhere")
            .in("resource/Reading.java", "idle > leading +", "idle >"),
        crash("PAGES", 1, "of two rows with one key the first one wins for ever")
            .in(
                "fetch/Pass.java",
                "return new PassEnd(resolutions,",
                "return new PassEnd(List.of(),"),
        crash("FULL", 456, "while any key is missing, an alarm goes on")
            .in(
                "fetch/DeleteDetector.java",
                "private long pass = 1;",
                "private long pass = 1; private boolean alarm;")
            .in(
                "fetch/DeleteDetector.java",
                "return new Verdict(gone, atFirstSight, waiting, plans, next, provesLittle);",
                "alarm = !waiting.isEmpty() || (alarm && !seen.missing().isEmpty());"
                    + " if (alarm) {"
                    + " for (Key key : atFirstSight) { waiting.computeIfAbsent("
                    + " seen.since(), tick -> wait(tick, seen, nowNanos)).keys().add(key); }"
                    + " gone.removeAll(atFirstSight);"
                    + " return new Verdict(gone, List.of(), waiting, true, nowNanos + confirm, true);"
                    + " } return new Verdict(gone, atFirstSight, waiting, plans, next, provesLittle);"),
        crash("PAGES", 37, "a page that is refused counts as the end of the list")
            .in("resource/Retrieval.java", "(status == 404 ||", "(status >= 400 ||"),
        crash("MODIFIED", 1, "what arrives damaged is emitted at first sight")
            .in(
                "fetch/Damage.java",
                "if (!believed) { heldBack.add(row); } return !believed;",
                "return false;"),
        crash("FULL", 1, "a record overtakes the one before it on its way to the buffer")
            .in(
                "fetch/Buffer.java",
                "Unit unit = units.remove();",
                "Unit first = units.remove(); Unit unit = units.isEmpty() ? first : units.remove();"
                    + " if (unit != first) { units.addFirst(first); }"),
        crash("FULL", 1, "a body that breaks off counts as whole, and missing rows as deleted")
            .in(
                "fetch/StreamFetcher.java",
                "private Outcome emit(Rows rows,",
                "private static Optional<Row> next(Rows rows) throws ApiException {"
                    + " try { return rows.next(); } catch (Malformed e) { return Optional.empty(); } }"
                    + " private Outcome emit(Rows rows,")
            .in(
                "fetch/StreamFetcher.java",
                "passed ? Optional.empty() : rows.next();",
                "passed ? Optional.empty() : next(rows);"),
        crash("FULL", 23, "the Date of an old answer counts as the service's time")
            .in(
                "fetch/StreamFetcher.java",
                "if (noteDate(date, sent, oldAnswers)) {",
                "if (noteDate(date, sent, oldAnswers)) { clock.sample(date);"),
        crash("FULL", 1, "of a row's bytes only their number counts")
            .in(
                "change/KnownBytes.java",
                "print = (hasher.hashBytesToLong(text, from, bytes) & ~MOST_BYTES) | bytes;",
                "print = bytes;"),
        crash("FULL", 12, "of a key with an alias a name without a value counts")
            .in(
                "record/KeyField.java",
                "int field = name.findValue(row);",
                "int field = name.find(row.names());"),
        crash("MODIFIED", 250, "entries under other key fields count")
            .in(
                "offset/DigestScope.java",
                "return topic.equals(before.topic) && keys.equals(before.keys);",
                "return topic.equals(before.topic);"),
        crash("MODIFIED", 12, "a snapshot id that comes again names the former snapshot")
            .in(
                "offset/Snapshot.java",
                "return generation == other.generation && name.equals(other.name);",
                "return name.equals(other.name);"),
        crash("FULL", 8, "fields that are to be ignored are compared")
            .in("change/ContentHash.java", "object(row, true)", "object(row, false)"),
        crash("CURSOR", 40, "one list in pages proves that a row is gone")
            .in("fetch/DeleteDetector.java", "shifting ? 1 : 0;", "0;"),
        crash("MODIFIED_PAGES", 58_235_921, "a snapshot in pages ends on a row with two contents")
            .in(
                "fetch/Pass.java",
                "!missing.isEmpty() || twins.hasNewDeadLetters(resolutions)",
                "!missing.isEmpty()"),
        crash("MODIFIED_PAGES", 58_150_038, "a row that broke between two pages is an older one")
            .in(
                "fetch/UnreadableRows.java",
                "after(overlaps || overflows ? pass + 1 : pass);",
                "after(pass);"),
        crash("PAGES", 45, "a page that repeats a row of the page before leads nowhere")
            .in(
                "resource/PageProgress.java",
                "news |= isNew;",
                "news = (keys == 0 || news) && isNew;"),
        crash("MODIFIED", 1_989, "a lost segment counts as one that was never stored")
            .in(
                "offset/DigestReader.java",
                "position == null ? Vouched.NOTHING : position.vouched();",
                "Vouched.NOTHING;"));
  }

  /** An image of a segment that has so many entries. */
  private static String ofLength(String length) {
    return "public Header header() { return new Header(header.run(), header.sequence(), "
        + length
        + ", header.head(), header.base(), header.floor(), header.sum(), header.slots()); }";
  }

  private static Stream<Fault> ofLiveness() {
    return Stream.of(
        planningIsSending("MODIFIED"),
        planningIsSending("DATE_RANGE"),
        liveness("DATE_RANGE", false, 60, "a reconciliation follows the present")
            .in("fetch/Fetch.java", "isPass() && reconciliation != null ?", "rows < 0 ?"),
        liveness("DATE_RANGE", true, 90_001_368, "a window resumes a stream of which others wait")
            .in(
                "fetch/StreamCycle.java",
                "if (fetch.reachesNow() || fetch.kind() == FetchKind.BACKFILL) {",
                "if (true) {"),
        liveness("DATE_RANGE", true, 90_002_834, "a backfill's window lets its own keys go")
            .in("fetch/DigestCapacity.java", "BACKFILL && hasBackfilled", "BACKFILL"),
        liveness("FULL", false, 1, "a wait counts from the first miss, whatever it waited for")
            .in(
                "fetch/DeleteDetector.java",
                "return before == null || before.reason() != reason",
                "return before == null"),
        liveness("FULL", true, 35, "the 401 of a resource is taken for the location's")
            .in(
                "fetch/Retries.java",
                "unauthorized = new Unauthorized(fetch, e); return List.of();",
                "return keyRefused(e, now);"),
        liveness("FULL", true, 12, "a pass that misses keys voids the answer under way")
            .in("fetch/StreamCycle.java", "guard.missed(now.nanos());", "guard.askAgain();"),
        liveness(
                "MODIFIED",
                true,
                1_153,
                "a pass that misses keys goes on while another stream asks")
            .in(
                "fetch/LocationIdentity.java",
                "return judges || nowNanos - askingSinceNanos < LONGEST_WAIT;",
                "return nowNanos - askingSinceNanos < LONGEST_WAIT;"),
        liveness("FULL", true, 244, "a fetch that is read waits with its suspended stream")
            .in(
                "fetch/StreamCycle.java",
                "if (read != null && mayFinish()) {",
                "if (read != null && mayFinish() && !now.isBefore(retries.notBeforeNanos())) {")
            .in(
                "fetch/StreamCycle.java",
                "if (!mayFinish()) { reports.addAll(retries.followKey(now)); }",
                "reports.addAll(retries.followKey(now));"),
        liveness("MODIFIED", true, 665, "a new key's answer judges what the one before has read")
            .in(
                "fetch/StreamCycle.java",
                "trusted = answer == Answer.TRUSTED && guard.hasKeyOfPass();",
                "trusted = answer == Answer.TRUSTED;"),
        liveness("FULL", true, 4_045, "a new key's answer proves what the one before has read")
            .in(
                "fetch/StoreGuard.java",
                "if (readKey != null && readKey != key) { mixed = isReconciled(); }",
                ""),
        liveness("FULL", true, 3_019, "an answer is as old as its request")
            .in("fetch/LocationIdentity.java", "nowNanos - answeredNanos", "nowNanos - askedNanos"),
        liveness("FULL", false, 1_182, "a name that once was another store's stays so")
            .in("fetch/LocationIdentity.java", "holds = isSame || !expires;", "holds = true;"),
        liveness("PAGES", false, 1, "another name is believed before its rows are compared")
            .in(
                "fetch/LocationIdentity.java",
                "return holds && identity.equals(judged) ? Optional.of(isSame) : Optional.empty();",
                "return Optional.of(true);"),
        liveness(
                "DATE_RANGE",
                false,
                1,
                "old dead letters of a date range make no room for new ones")
            .in(
                "fetch/Pass.java",
                "Ruling reject(Fetch fetch, Key deadLetter) {",
                "Ruling reject(Fetch fetch, Key deadLetter) {"
                    + " if (digest.deadLetters() >= capacity.most() && !digest.known(deadLetter).isCurrent())"
                    + " { return Ruling.NO_ROOM; }"),
        liveness("CURSOR", false, 1, "the rows of one key are numbered in the order they come in")
            .in("fetch/Pass.java", "each -> state(fetch, each, hash)", "each -> State.OTHER"),
        liveness("FULL", false, 402, "a list that proves nothing about keys forgets dead letters")
            .in(
                "fetch/Pass.java",
                "if (trusted && !verdict.provesLittle()) {",
                "if (verdict != null) {"));
  }

  private static Stream<Fault> ofOccurrences() {
    return Stream.of(
        occurrences("FULL", 166, "a number is given to two rows of a pass")
            .in(
                "fetch/Occurrences.java",
                ".filter(each -> !unconfirmed.contains(each))",
                ".filter(each -> each != null)"),
        occurrences("FULL", 1, "a row takes a number that another row may still show")
            .in(
                "fetch/Pass.java",
                "return isVacant ? State.VACANT : State.OTHER;",
                "return State.VACANT;"),
        occurrences("PAGES", 1, "a new snapshot gives rows new numbers")
            .in("fetch/Pass.java", "!known.isCurrent() || isMissing;", "isMissing;"),
        occurrences("FULL", 1, "a changed row does not wait for the other rows of its list")
            .in("fetch/Pass.java", "mayWait && !retrieval.shifting() && !othersCame;", "false;"),
        occurrences("FULL", 1, "a row that waited is one more")
            .in(
                "fetch/Pass.java",
                "wait.reason() == Reason.MISSING : othersCame;",
                "wait.reason() == Reason.MISSING : false;"),
        occurrences("FULL", 9_356, "a row takes the number of one that is held back")
            .in(
                "fetch/ChangeEmitter.java",
                "!row.isDamaged() && pass.damage()",
                "false && pass.damage()"));
  }

  /** Which need answers that cross, several faults at once, or a clock that is set. */
  private static Stream<Fault> ofCrossings() {
    return Stream.of(
        liveness(
                "FULL", true, 367, "an answer from before a refusal of the key shows it to be good")
            .in(
                "fetch/LocationKey.java",
                "boolean isGood = refusal == null || sentNanos - refusedNanos >= 0;",
                "boolean isGood = true;"),
        liveness("FULL", true, 105, "a 429 has a location wait as long as the service asks")
            .in(
                "client/LimitedClient.java",
                "retries.pause(e.retryAfter())",
                "e.retryAfter().orElse(java.time.Duration.ZERO)"),
        liveness("MODIFIED", false, 14, "a metric shows ages by the worker's clock")
            .in(
                "metrics/StreamMetrics.java",
                "time.milliseconds() + get(State.SKEW) - epochMs",
                "time.milliseconds() - epochMs"),
        liveness("MODIFIED", true, 179, "an answer proves the rows that came since its request")
            .in(
                "fetch/StoreGuard.java",
                "Digest.End shown = asked == askingNanos ? endAtAsking : end;",
                "Digest.End shown = digest.end();"));
  }

  private static Fault planningIsSending(String style) {
    return liveness(style, false, 1, style + ": planning a fetch uses up its turn")
        .in(
            "fetch/StreamCycle.java",
            "Fetch fetch = due.get();",
            "Fetch fetch = due.get(); if (read == null) { plan.sent(fetch); }");
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource({"ofTheDigest", "ofCrashes", "ofLiveness", "ofCrossings", "ofOccurrences"})
  void isFound(Fault fault, @TempDir Path classes) throws Exception {
    for (Edit edit : fault.edits) {
      plant(edit, classes);
    }
    compile(classes);
    try (Anew faulty = new Anew(classes)) {
      String broken = fault.law.broken(faulty, fault.law.enough);
      assertThat(broken).as("how the law is broken, now that " + fault).isNotNull();
      Matcher seed = SEED.matcher(broken);
      if (seed.find()) {
        Law same = fault.law.from(Long.parseLong(seed.group(1)));
        assertThat(same.broken(PlantedFaultsTest.class.getClassLoader(), 1))
            .as("how the same history breaks it without the fault, which nobody has found then")
            .isNull();
      }
      System.out.println(fault + ": " + broken.lines().findFirst().orElse(""));
    }
  }

  /** Classes that are loaded anew break no law by themselves. */
  @Test
  void lawsHoldOfTheSourcesAsTheyAre(@TempDir Path none) throws Exception {
    try (Anew sound = new Anew(none)) {
      for (Fault each : List.of(digest(""), crash("FULL", 1, ""), liveness("FULL", true, 1, ""))) {
        assertThat(each.law.broken(sound, 5)).isNull();
      }
    }
  }

  /** Writes it into the source, or into its faulty version if there is one. */
  private static void plant(Edit edit, Path folder) throws IOException {
    Path file = folder.resolve(Path.of(edit.file).getFileName());
    String source = Files.readString(Files.exists(file) ? file : SOURCES.resolve(edit.file));
    Matcher there =
        Pattern.compile(
                Stream.of(edit.right.split(" ", -1))
                    .map(Pattern::quote)
                    .collect(Collectors.joining("\\s+")))
            .matcher(source);
    assertThat(there.results()).as(edit.file + " has once: " + edit.right).hasSize(1);
    Files.writeString(file, there.replaceFirst(Matcher.quoteReplacement(edit.wrong)));
  }

  private static void compile(Path folder) throws IOException {
    List<Path> sources = Io.list(folder);
    FILES.setLocationFromPaths(StandardLocation.CLASS_OUTPUT, List.of(folder));
    List<String> options = List.of("-proc:none", "-nowarn");
    var units = FILES.getJavaFileObjectsFromPaths(sources);
    boolean compiles = JAVAC.getTask(null, FILES, null, options, null, units).call();
    assertThat(compiles).as("the faulty source compiles").isTrue();
  }

  /** Loads our classes anew, those of a folder first. */
  private static final class Anew extends URLClassLoader {

    Anew(Path classes) throws MalformedURLException {
      super(urls(classes), PlantedFaultsTest.class.getClassLoader());
    }

    private static URL[] urls(Path classes) throws MalformedURLException {
      List<URL> urls = new ArrayList<>();
      urls.add(classes.toUri().toURL());
      for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
        if (Files.isDirectory(Path.of(entry))) {
          urls.add(Path.of(entry).toUri().toURL());
        }
      }
      return urls.toArray(URL[]::new);
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (!name.startsWith("io.posconnect.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded == null ? findClass(name) : loaded;
      }
    }
  }
}
