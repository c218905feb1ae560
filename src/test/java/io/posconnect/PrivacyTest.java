package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.config.Props;
import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Call;
import io.posconnect.hostile.HostileService;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A task never publishes, stores or logs an excluded field or the text of a hashed one. */
class PrivacyTest {

  private static final String SALT = "salt-of-the-earth-81";
  private static final String PEOPLE = "pos.people";
  private static final String DEAD_LETTERS = "pos.dead-letters";

  private static final String SCHEMA =
      """
      {"type":"record","name":"Person","fields":[
        {"name":"id","type":"long"},
        {"name":"phone","type":["null","string"],"default":null},
        {"name":"points","type":["null","long"],"default":null},
        {"name":"tags","type":["null",{"type":"array","items":"string"}],"default":null},
        {"name":"customer","type":["null",{"type":"record","name":"C","fields":[
          {"name":"name","type":["null","string"]}]}]}]}
      """;

  private final People people = new People();
  @AutoClose private final HostileService service = HostileService.start(people::answer);
  @AutoClose private final TaskLog log = TaskLog.listenToEverything();
  @AutoClose private DrivenTask task;

  /** Answers with one body after the other, and with the last one for ever. */
  private static final class People {

    private final Deque<Answer> bodies = new ArrayDeque<>();
    private final AtomicInteger answers = new AtomicInteger();

    synchronized Answer answer(Call call) {
      if (call.path().equals("/whoami")) {
        return Answer.json("{\"locationName\":\"Main Street\",\"lspName\":\"Shop\"}");
      }
      answers.incrementAndGet();
      return bodies.size() > 1 ? bodies.remove() : bodies.element();
    }

    synchronized void add(int status, String body) {
      bodies.add(Answer.json(status + " X", body));
    }

    synchronized void then(String body) {
      bodies.clear();
      add(200, body);
    }

    private synchronized int left() {
      return bodies.size() - 1;
    }
  }

  private Props settings() {
    return Props.hasty(service.baseUrl(), "people")
        .with("resources.people.path", "/people")
        .with("resources.people.retrieval", "full")
        .with("resources.people.key.fields", "id")
        .with("resources.people.schema", SCHEMA)
        .with("deletes.max.ratio", "1")
        .with("row.max.bytes", "10000");
  }

  private Props guarded() {
    return settings()
        .with("resources.people.exclude.fields", PrivateRows.EXCLUDED)
        .with("resources.people.hash.fields", PrivateRows.HASHED)
        .with("hash.salt", SALT);
  }

  private void run(Props settings) {
    task = task == null ? DrivenTask.start(settings.map()) : task.restart(settings.map());
  }

  /** Waits until all bodies were read, and the last one twice. */
  private void readAll() {
    task.until("all were asked for", () -> people.left() == 0);
    int answers = people.answers.get();
    task.until("the last one was read", () -> people.answers.get() >= answers + 3);
    task.fetches(2);
  }

  @Test
  void publishesStoresAndLogsNoSecret() {
    Set<String> reasons = new HashSet<>();
    RandomCases.check(
        6,
        random -> {
          PrivateRows rows = new PrivateRows(random);
          for (int i = 0; i < 12; i++) {
            people.add(200, rows.body(12));
            people.add(random.nextBoolean() ? 200 : 500, rows.halfBody());
          }
          // Only the last body comes twice, as a row must that is no JSON to be believed.
          people.add(200, rows.body(20, "{\"id\":0,\"number\":01}"));
          task = DrivenTask.start(guarded().with("topic.prefix", "pos").map());
          try (DrivenTask run = task) {
            readAll();
          }
          List<SourceRecord> letters = task.records(DEAD_LETTERS);
          letters.forEach(letter -> reasons.add(reason(letter)));
          String written = written() + log.text();

          assertThat(task.records(PEOPLE)).isNotEmpty();
          assertThat(letters).isNotEmpty();
          assertThat(rows.secrets())
              .hasSizeGreaterThan(100)
              .filteredOn(written::contains)
              .isEmpty();
          assertThat(written).doesNotContain(SALT);
        });
    if (System.getProperty("seed") == null) {
      assertThat(reasons)
          .contains(
              "too large",
              "not JSON",
              "not an object",
              "no key",
              "key does not fit its type",
              "key named twice",
              "key not unique");
      assertThat(log.text()).contains("DEBUG").contains("POS-4");
    }
  }

  private static String reason(SourceRecord letter) {
    return ((Struct) letter.value()).getString("reason").split(":", 2)[0];
  }

  /** Everything that went to Connect, and what is in it in Base64. */
  private String written() {
    StringBuilder all = new StringBuilder();
    for (String topic :
        List.of(PEOPLE, DEAD_LETTERS, "pos.checkpoints", "pos.status", "pos.locations")) {
      task.records(topic).forEach(record -> all.append(record).append('\n'));
    }
    for (Map<String, Object> offset : task.offsets().values()) {
      offset.forEach(
          (name, value) -> {
            all.append(name).append('=').append(value).append('\n');
            if (name.equals("digest") && value instanceof String text && text.matches("[\\w+/]*")) {
              byte[] decoded = Base64.getDecoder().decode(text);
              all.append(new String(decoded, StandardCharsets.ISO_8859_1)).append('\n');
            }
          });
    }
    return all.toString();
  }

  @Test
  void emitsNothingWhenOnlyAnExcludedFieldChanges() {
    String body =
        """
        [{"id":1,"email":"%1$s","note":"a"},
         {"id":2,"card":[{"number":%2$s,"kind":"x"}],"note":"b"},
         {"note":"no key","EMAIL":"%1$s"},
         {"id":3,"blob":%3$s}]
        """;
    people.add(200, body.formatted("one", "1", "{}"));
    run(guarded());
    readAll();
    List<SourceRecord> before = rows();
    people.then(body.formatted("two", "[2,3]", "\"" + "x".repeat(5_000) + "\""));
    readAll();

    assertThat(before).hasSize(4);
    assertThat(rows()).isEqualTo(before);
  }

  /** Events and dead letters. */
  private List<SourceRecord> rows() {
    List<SourceRecord> rows = new ArrayList<>(task.records(PEOPLE));
    rows.addAll(task.records(DEAD_LETTERS));
    return rows;
  }

  @Test
  void publishesHashedFieldsAsStrings() {
    people.add(
        200,
        "[{\"id\":1,\"phone\":5550100.0,\"tags\":[1,\"x\"],\"points\":3,"
            + "\"customer\":{\"name\":7,\"b\":1}}]");
    run(guarded());
    readAll();

    Struct row = ((Struct) task.records(PEOPLE).get(0).value()).getStruct("after");
    assertThat(row.getString("phone")).matches("[0-9a-f]{64}");
    assertThat(row.getArray("tags"))
        .hasSize(2)
        .allSatisfy(tag -> assertThat(tag).asString().hasSize(64));
    assertThat(row.getStruct("customer").getString("name")).hasSize(64);
    assertThat(row.getInt64("points")).isEqualTo(3);
  }

  @Test
  void hashesEqualKeysEqually() {
    people.add(200, "[{\"id\":12345678901,\"n\":1}]");
    run(
        guarded()
            .with("resources.people.hash.fields", "id")
            .with("resources.people.fields", "id:string"));
    readAll();
    people.then("[{\"ID\":\"12345678901\",\"n\":1}]");
    readAll();
    people.then("[]");
    task.until("its delete", () -> task.operations(PEOPLE).contains("d"));

    List<SourceRecord> events = task.records(PEOPLE);
    assertThat(events).extracting(SourceRecord::key).containsOnly(events.get(0).key());
    assertThat(((Struct) events.get(0).key()).getString("id")).matches("[0-9a-f]{64}");
    assertThat(task.operations(PEOPLE)).startsWith("r", "d");
    assertThat(written()).doesNotContain("12345678901");
  }

  @Test
  void startsSnapshotWhenPrivacyOrSaltChanges() {
    people.add(200, "[{\"id\":1,\"email\":\"e\",\"phone\":5}]");
    run(settings());
    readAll();
    for (Props changed :
        List.of(
            settings().with("resources.people.exclude.fields", "email"),
            guarded(),
            guarded().with("hash.salt", SALT + "2"))) {
      run(changed);
      readAll();
      assertThat(task.operations(PEOPLE)).containsExactly("r");
      assertThat(log.text()).contains("POS-606");
      run(changed);
      readAll();
      assertThat(task.operations(PEOPLE)).as("the same again").isEmpty();
    }
    assertThat(log.text())
        .contains("excluded a.b.c,blob,card.number,email, hashed customer.name,phone,tags (salt ");
  }

  @Test
  void requiresNewSnapshotIdToHashKey() {
    people.add(200, "[{\"id\":1}]");
    run(settings());
    readAll();
    Props hashed =
        guarded()
            .with("resources.people.hash.fields", "id")
            .with("resources.people.fields", "id:string");
    run(hashed);
    task.until("it is logged", () -> log.text().contains("a key field is hashed"));
    assertThat(task.operations(PEOPLE)).isEmpty();
    run(hashed.with("snapshot.id", "hashed"));
    readAll();

    assertThat(task.operations(PEOPLE)).containsExactly("r");
  }
}
