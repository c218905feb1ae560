package io.posconnect.json;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class KnownRowsTest {

  private static final BodyLimits LIMITS = BodyLimits.DEFAULT.withRowBytes(3_000);

  /** Knows each row that was read before, and which one followed it. */
  private static final class Memory implements KnownRows {
    private final Set<String> known = new HashSet<>();
    private final Map<String, Integer> next = new HashMap<>();
    private final List<String> read = new ArrayList<>();
    private int asked;
    private int passed;

    private void add(String row) {
      next.put(read.isEmpty() ? "" : read.get(read.size() - 1), bytes(row));
      read.add(row);
    }

    private static int bytes(String row) {
      return row.getBytes(StandardCharsets.UTF_8).length;
    }

    @Override
    public int expected() {
      asked++;
      return next.getOrDefault(read.isEmpty() ? "" : read.get(read.size() - 1), 0);
    }

    @Override
    public boolean passes(byte[] text, int from, int length) {
      String row = new String(text, from, length, StandardCharsets.UTF_8);
      if (!known.contains(row)) {
        return false;
      }
      add(row);
      passed++;
      return true;
    }

    private void read(InputStream body, Privacy privacy) throws IOException {
      read.clear();
      passed = 0;
      JsonRows rows = new JsonRows.Factory(LIMITS).rows(body, Shape.ARRAY, privacy);
      boolean more = true;
      while (more) {
        if (!rows.skip(this)) {
          Optional<Row> row = rows.next();
          more = row.isPresent();
          row.map(KnownRowsTest::text).ifPresent(this::add);
        }
      }
      assertThat(rows.end().rows()).isEqualTo(read.size());
      known.addAll(read);
    }
  }

  private static String text(Row row) {
    return row.fault().map(fault -> "too large: " + fault.hash()).orElseGet(row::json);
  }

  @Test
  void everyRowIsReadOnceWhateverIsKnown() {
    RandomCases.check(
        300,
        random -> {
          List<String> list = new ArrayList<>();
          Memory memory = new Memory();
          for (int read = 0; read < 6; read++) {
            change(list, random);
            String body =
                "[" + String.join(List.of(",", " , ", ",\n\n").get(random.nextInt(3)), list) + "]";
            Memory nothing = new Memory();
            nothing.read(new Chunks(body, random, 1 + random.nextInt(9_000)), Privacy.NONE);

            memory.read(new Chunks(body, random, 1 + random.nextInt(9_000)), Privacy.NONE);

            assertThat(memory.read).isEqualTo(nothing.read);
          }
        });
  }

  private static void change(List<String> list, RandomGenerator random) {
    for (int i = random.nextInt(20); i > 0; i--) {
      int at = list.isEmpty() ? 0 : random.nextInt(list.size());
      switch (random.nextInt(5)) {
        case 0 -> list.remove(list.isEmpty() ? null : list.get(at));
        case 1, 2 -> list.add(at, row(random));
        case 3 -> list.add(list.isEmpty() ? row(random) : list.remove(at));
        default -> list.add(list.isEmpty() ? row(random) : list.get(at));
      }
    }
  }

  private static String row(RandomGenerator random) {
    String value = List.of("1", "[2, 3]", "\"é\\\"}\"", "null").get(random.nextInt(4));
    String filler = "x".repeat(random.nextInt(8) == 0 ? random.nextInt(5_000) : 3);
    return "{\"id\":" + random.nextInt(100) + ",\"a\":" + value + ",\"b\":\"" + filler + "\"}";
  }

  @Test
  void anUnchangedListIsSkippedButForItsFirstRow() throws IOException {
    Memory memory = new Memory();
    String body = "[{\"a\":1},{\"a\":22},{\"a\":\"" + "x".repeat(2_900) + "\"},{\"a\":4}]";

    memory.read(JsonRowsTest.stream(body), Privacy.NONE);
    assertThat(memory.passed).isZero();
    memory.read(JsonRowsTest.stream(body), Privacy.NONE);

    assertThat(memory.passed).isEqualTo(3);
  }

  @Test
  void aRowThatIsShorterThanExpectedIsReadWhole() throws IOException {
    Memory memory = new Memory();
    memory.read(JsonRowsTest.stream("[{\"a\":1},{\"a\":\"long\"}]"), Privacy.NONE);

    memory.read(JsonRowsTest.stream("[{\"a\":1},{}]"), Privacy.NONE);

    assertThat(memory.read).containsExactly("{\"a\":1}", "{}");
  }

  @Test
  void noRowIsSkippedBeforeEveryPrivatePathIsMet() throws IOException {
    Privacy privacy = new Privacy(List.of(), List.of("secret"), List.of(), "");
    Memory memory = new Memory();
    String body = "[{\"a\":1},{\"a\":2},{\"a\":3,\"secret\":1},{\"a\":4}]";
    memory.known.addAll(List.of("{\"a\":1}", "{\"a\":2}", "{\"a\":4}"));

    memory.read(JsonRowsTest.stream(body), privacy);

    assertThat(memory.passed).isOne();
    assertThat(memory.read).hasSize(4);
    assertThat(memory.asked).as("every row is begun").isEqualTo(5);
  }
}
