package io.posconnect.change;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.change.Digest.Segments;
import io.posconnect.json.BodyLimits;
import io.posconnect.json.JsonRows;
import io.posconnect.json.KnownRows;
import io.posconnect.json.Row;
import io.posconnect.resource.Key;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Shape;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** Whatever is known of earlier lists, a list brings the keys and contents of its own rows. */
class KnownListsTest {

  private final ContentHash contentHash = new ContentHash(Set.of());
  private Digest digest = new Digest(Segments.DEFAULT, new SplittableRandom(1));

  private record Content(Key key, long hash) {}

  private static JsonRows rows(String body) throws IOException {
    return new JsonRows.Factory(BodyLimits.DEFAULT)
        .rows(
            new ByteArrayInputStream(body.getBytes(StandardCharsets.UTF_8)),
            Shape.ARRAY,
            Privacy.NONE);
  }

  private Content content(Row row) {
    return new Content(Key.of(Long.parseLong(row.text(0))), contentHash.of(row));
  }

  private List<Content> parsed(String body) throws IOException {
    List<Content> all = new ArrayList<>();
    JsonRows rows = rows(body);
    for (Optional<Row> row = rows.next(); row.isPresent(); row = rows.next()) {
      all.add(content(row.get()));
    }
    return all;
  }

  /** Reads as the connector does; returns how many rows needed no parse. */
  private int read(String body, List<Content> contents) throws IOException {
    KnownBytes known = digest.knownBytes();
    KnownRows passing =
        new KnownRows() {
          @Override
          public int expected() {
            return known.expected();
          }

          @Override
          public boolean passes(byte[] text, int from, int length) {
            if (!known.find(text, from, length)
                || !digest.known(known.key()).is(known.contentHash())) {
              return false;
            }
            contents.add(new Content(known.key(), known.contentHash()));
            known.follow();
            return true;
          }
        };
    digest.tick();
    JsonRows rows = rows(body);
    int passed = 0;
    while (true) {
      if (rows.skip(passing)) {
        passed++;
        continue;
      }
      Optional<Row> row = rows.next();
      if (row.isEmpty()) {
        return passed;
      }
      Content content = content(row.get());
      contents.add(content);
      if (digest.remember(content.key(), content.hash())) {
        digest.image(1).acknowledged(true);
      }
      known.learn(content.key(), content.hash());
    }
  }

  private static String row(int id, int length) {
    return "{\"id\":" + id + ",\"x\":\"" + "y".repeat(length) + "\"}";
  }

  @Test
  void aLongRowInThePlaceOfAShortOneIsReadWhole() throws IOException {
    String brief = "[%s,%s,%s]".formatted(row(0, 1), row(1, 6), row(2, 1));
    String lengthy = "[%s,%s,%s]".formatted(row(0, 1), row(1, 200_000), row(2, 1));
    for (String body : List.of(brief, brief, lengthy, lengthy, brief)) {
      List<Content> contents = new ArrayList<>();
      read(body, contents);
      assertThat(contents).isEqualTo(parsed(body));
    }
  }

  @Test
  void listsOfAnySizeAndOrderAreReadWhole() {
    RandomCases.check(
        40,
        random -> {
          digest = new Digest(Segments.DEFAULT, new SplittableRandom(random.nextLong()));
          List<String> list = new ArrayList<>();
          int passed = 0;
          for (int read = 0; read < 8; read++) {
            change(list, random);
            String blank = random.nextInt(3) == 0 ? " \n" : "";
            String body = blank + "[" + String.join("," + blank, list) + blank + "]";
            List<Content> contents = new ArrayList<>();
            passed += read(body, contents);
            assertThat(contents).isEqualTo(parsed(body));
          }
          assertThat(passed).isPositive();
        });
  }

  private static void change(List<String> list, RandomGenerator random) {
    if (list.isEmpty()) {
      for (int id = 0; id < 30; id++) {
        list.add(row(id, random.nextInt(50)));
      }
    }
    for (int change = random.nextInt(4); change > 0; change--) {
      int at = random.nextInt(list.size());
      int[] lengths = {0, 7, 900, 40_000, 99_980, 100_020, 150_000};
      switch (random.nextInt(3)) {
        case 0 -> list.set(at, row(at, lengths[random.nextInt(lengths.length)]));
        case 1 -> list.add(at, list.remove(random.nextInt(list.size())));
        default -> list.set(at, list.get(at).replace("y", "z"));
      }
    }
  }
}
