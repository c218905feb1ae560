package io.posconnect.offset;

import static io.posconnect.offset.StoredStream.withChecksum;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.posconnect.RandomCases;
import io.posconnect.change.Digest.Stored;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Image.Header;
import io.posconnect.change.Image.State;
import io.posconnect.change.Images;
import io.posconnect.offset.DigestCodec.DamagedException;
import io.posconnect.offset.DigestCodec.Decoded;
import io.posconnect.resource.Key;
import io.posconnect.resource.Numbering;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DigestCodecTest {

  private static final long GREATEST_HASH = (1L << 56) - 1;

  private static final StreamPartition SLOT =
      StreamPartition.slot(new Stream("downtown", "products"), 3);
  private static final DigestScope SCOPE =
      new DigestScope(
          "pos.products",
          "location,productId:int64",
          "lastSeen,rank",
          "full /products",
          "1f3a9c0b price:9");

  private static Key key(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> Key.of(random.nextLong());
      case 1 -> Key.of(random.nextLong(-100, 1001));
      case 2 -> Key.of(text(random, 20));
      default -> Key.of(text(random, 200, "ab\ud83d\ude00é"));
    };
  }

  /** Any code units, lone surrogates included. */
  private static String text(RandomGenerator random, int longest) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(longest + 1); length > 0; length--) {
      text.append((char) random.nextInt(random.nextBoolean() ? 0x80 : 0x10000));
    }
    return text.toString();
  }

  private static String text(RandomGenerator random, int longest, String units) {
    StringBuilder text = new StringBuilder();
    for (int length = random.nextInt(longest + 1); length > 0; length--) {
      text.append(units.charAt(random.nextInt(units.length())));
    }
    return text.toString();
  }

  private static List<StoredEntry> entries(RandomGenerator random) {
    List<StoredEntry> entries = new ArrayList<>();
    for (int count = random.nextInt(61); count > 0; count--) {
      State state = State.of(random.nextInt(State.CODES));
      entries.add(new StoredEntry(key(random), state, state == State.CURRENT ? hash(random) : 0));
    }
    return entries;
  }

  private static long hash(RandomGenerator random) {
    return random.nextInt(10) == 0 ? GREATEST_HASH : random.nextLong(GREATEST_HASH + 1);
  }

  /** Any number, extremes not seldom. */
  private static long number(RandomGenerator random) {
    return switch (random.nextInt(4)) {
      case 0 -> random.nextLong();
      case 1 -> random.nextBoolean() ? Long.MAX_VALUE : Long.MIN_VALUE;
      default -> random.nextLong(1, 1000);
    };
  }

  private static Decoded segment(RandomGenerator random) {
    List<StoredEntry> entries = entries(random);
    Header header =
        new Header(
            random.nextLong(),
            number(random),
            entries.size(),
            number(random),
            random.nextLong(),
            number(random),
            random.nextLong(),
            random.nextInt(Integer.MAX_VALUE));
    StreamContext context =
        new StreamContext(
            Snapshot.parse(
                    text(random, 30, "ab#2é€\u0000 "),
                    random.nextBoolean() ? Snapshot.State.RUNNING : Snapshot.State.COMPLETED)
                .since(
                    random.nextBoolean()
                        ? Instant.MIN
                        : Instant.ofEpochMilli(random.nextLong(1_800_000_000_000L))),
            SCOPE,
            new Numbering(number(random), number(random)),
            text(random, 30, "ab#2é€\u0000 "),
            text(random, 30, "0123 "));
    return new Decoded(new Stored(header, SLOT.number(), entries), context);
  }

  private static Map<String, Object> encode(Decoded segment) {
    Stored stored = segment.stored();
    return DigestCodec.encode(
        Images.of(stored.header(), stored.slot(), stored.entries()), segment.context());
  }

  private static String text(Decoded segment) {
    return (String) encode(segment).get("digest");
  }

  private static Decoded empty() {
    return new Decoded(
        new Stored(new Header(1, 1, 0, 1, 0, 1, 0, 1), SLOT.number(), List.of()),
        StreamContext.of(Snapshot.first(""), SCOPE, Numbering.NONE));
  }

  @Test
  void decodesWhatItEncodes() {
    RandomCases.check(
        1000,
        random -> {
          Decoded segment = segment(random);

          assertThat(DigestCodec.decode(SLOT, encode(segment))).isEqualTo(segment);
        });
  }

  @Test
  void scopeIsPlainText() {
    assertThat(encode(empty()))
        .containsEntry("topic", "pos.products")
        .containsEntry("keys", "location,productId:int64")
        .containsEntry("ignored", "lastSeen,rank")
        .containsEntry("list", "full /products")
        .hasSize(5);
  }

  @Test
  void detectsAnyChangedCharacterAndAnyTruncation() {
    RandomCases.check(
        1000,
        random -> {
          String whole = text(segment(random));
          assertDamaged(whole.substring(0, random.nextInt(whole.length())));
          StringBuilder text = new StringBuilder(whole);
          int index = random.nextInt(text.length());
          text.setCharAt(index, (char) (text.charAt(index) ^ (1 + random.nextInt(127))));
          assertDamaged(text.toString());
        });
  }

  @Test
  void randomBytesAreOnlyDamage() {
    RandomCases.check(
        10_000,
        random -> {
          byte[] content = new byte[random.nextInt(300)];
          random.nextBytes(content);
          if (random.nextBoolean()) {
            // Small numbers, which get further before something does not fit.
            for (int i = 0; i < content.length; i++) {
              content[i] &= 7;
            }
          }
          byte[] bytes = new byte[content.length + 5];
          bytes[0] = (byte) random.nextInt(1, 3);
          System.arraycopy(content, 0, bytes, 1, content.length);
          assertDamagedOrRead(bytes);
        });
  }

  @Test
  void changedBytesUnderGoodChecksumAreOnlyDamage() {
    RandomCases.check(
        10_000,
        random -> {
          byte[] bytes = Base64.getDecoder().decode(text(segment(random)));
          for (int changes = random.nextInt(1, 5); changes > 0; changes--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
          }
          assertDamagedOrRead(bytes);
        });
  }

  private static void assertDamagedOrRead(byte[] bytes) {
    try {
      DigestCodec.decode(SLOT, Map.of("digest", withChecksum(bytes)));
    } catch (DamagedException e) {
      assertThat(e).hasMessageContaining("it");
    } catch (ConnectException e) {
      assertThat(bytes[0]).as("its version").isGreaterThan((byte) 2);
    }
  }

  @Test
  void versionBeforeTheFirstIsNamedDamage() {
    for (byte version : new byte[] {0, -1, Byte.MIN_VALUE}) {
      byte[] bytes = Base64.getDecoder().decode(text(empty()));
      bytes[0] = version;

      assertThatExceptionOfType(DamagedException.class)
          .isThrownBy(() -> DigestCodec.decode(SLOT, Map.of("digest", withChecksum(bytes))))
          .withMessageContaining("version is " + version);
    }
  }

  @Test
  void refusesNewerVersionAndDistinguishesDamage() {
    byte[] bytes = Base64.getDecoder().decode(text(empty()));
    for (byte version : new byte[] {3, 9}) {
      bytes[0] = version;
      String newer = withChecksum(bytes);

      assertThatExceptionOfType(ConnectException.class)
          .isThrownBy(() -> DigestCodec.decode(SLOT, Map.of("digest", newer)))
          .withMessageStartingWith("POS-610 downtown/products/3: ")
          .withMessageContaining("of version " + version + ", this build reads 2");
      assertDamaged(newer + "=");
    }
    bytes[1] ^= 1;
    assertDamaged(Base64.getEncoder().withoutPadding().encodeToString(bytes));
    assertDamaged("");
    assertDamaged("AwAA");
  }

  @Test
  void offsetWithoutTextIsDamage() {
    assertThatExceptionOfType(DamagedException.class)
        .isThrownBy(() -> DigestCodec.decode(SLOT, Map.of("digest", 7L)));
    assertThatExceptionOfType(DamagedException.class)
        .isThrownBy(() -> DigestCodec.decode(SLOT, Map.of()));
  }

  @Test
  void offsetWithoutScopeFitsNoScope() throws DamagedException {
    Map<String, Object> offset = new HashMap<>(encode(empty()));
    offset.keySet().retainAll(List.of("digest"));

    DigestScope scope = DigestCodec.decode(SLOT, offset).context().scope();
    assertThat(scope).isEqualTo(new DigestScope("", "", "", "", SCOPE.contract()));
    assertThat(SCOPE.continues(scope)).isFalse();
  }

  @Test
  void encodingStaysTheSame() {
    List<StoredEntry> entries =
        List.of(
            new StoredEntry(Key.of(1000), State.CURRENT, 1),
            new StoredEntry(Key.of(-3), State.CURRENT, GREATEST_HASH),
            new StoredEntry(Key.of(-2), State.STALE, 0),
            new StoredEntry(Key.of(7), State.REMOVED, 0),
            new StoredEntry(Key.of("[\"a\",1]"), State.CURRENT, 2),
            new StoredEntry(Key.of("[\"aé\",2]"), State.REMOVED, 0));
    Decoded segment =
        new Decoded(
            new Stored(
                new Header(0x0123456789ABCDEFL, 300, 6, 290, 5, 298, -6, 17),
                SLOT.number(),
                entries),
            new StreamContext(
                Snapshot.first("").next("june"),
                SCOPE,
                new Numbering(70_000, 1_764_000_000_123L),
                "Acme",
                "1f2e3d4c 00000009"));

    assertThat(text(segment))
        .isEqualTo(
            "AgxqdW5lIzIBAQEjRWeJq83v2AQUAAAAAAAAAAUG//////////oi4MUI9qG/6dZmAAhBY21lIDFmM2E5YzBiIHByaWNlOjkiMWYyZTNkNGMgMDAwMDAwMDkMAATQDwAAAAAAAAHVD/////////8CAgIEAhIGAgAAB1siYSIsMV0AAAAAAAACCgIGAAbDqSIsMl2d/FuL");
  }

  /** Builds before 0.1.0 stored which of two names the first row had chosen. */
  @ParameterizedTest
  @CsvSource({"'location,id|a:int64', ''", "'location,a|id:int64', ' by id'"})
  void keysThatAnAliasWasChosenForAreOthers(String keys, String mark) throws DamagedException {
    Map<String, Object> stored =
        Map.of(
            "keys",
            keys,
            "digest",
            "AgxqdW5lIzIBAQEjRWeJq83v2AQUAAAAAAAAAAUG//////////oi4MUI9qG/6dZmBGlkCEFjbWUgMWYzYTljMGIgcHJpY2U6OSIxZjJlM2Q0YyAwMDAwMDAwOQwABNAPAAAAAAAAAdUP/////////wICAgQCEgYCAAAHWyJhIiwxXQAAAAAAAAIKAgYABsOpIiwyXWzqp7Q");

    Decoded read = DigestCodec.decode(SLOT, stored);

    assertThat(read.context().scope().keys()).isEqualTo(keys + mark);
    assertThat(read.context().identity()).isEqualTo("Acme");
  }

  private static void assertDamaged(String text) {
    assertThatExceptionOfType(DamagedException.class)
        .isThrownBy(() -> DigestCodec.decode(SLOT, Map.of("digest", text)));
  }
}
