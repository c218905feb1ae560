package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.posconnect.RandomCases;
import io.posconnect.offset.DigestCodec.DamagedException;
import io.posconnect.offset.DigestCodec.Decoded;
import io.posconnect.offset.DigestCodec.Encoder;
import io.posconnect.offset.DigestCodec.Entry;
import io.posconnect.resource.Key;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;

class DigestCodecTest {

  private static final long GREATEST_HASH = (1L << 48) - 1;

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

  private static List<Entry> entries(RandomGenerator random) {
    TreeMap<Key, Entry> sorted = new TreeMap<>();
    for (int count = random.nextInt(61); count > 0; count--) {
      Key key = key(random);
      long hash = random.nextInt(10) == 0 ? GREATEST_HASH : random.nextLong(GREATEST_HASH + 1);
      sorted.put(key, new Entry(key, hash, random.nextInt(3) != 0));
    }
    return List.copyOf(sorted.values());
  }

  @Test
  void givesBackWhatItTook() {
    RandomCases.check(
        1000,
        random -> {
          List<Entry> entries = entries(random);
          String snapshotId = text(random, 30, "ab#2é€\u0000 ");

          assertThat(DigestCodec.decode(encode(snapshotId, entries)))
              .isEqualTo(new Decoded(snapshotId, entries));
        });
  }

  @Test
  void anyChangedCharacterIsDetected() {
    RandomCases.check(
        1000,
        random -> {
          StringBuilder text = new StringBuilder(encode("x", entries(random)));
          int index = random.nextInt(text.length());
          text.setCharAt(index, (char) (text.charAt(index) ^ (1 + random.nextInt(127))));

          assertDamaged(text.toString());
        });
  }

  @Test
  void anyTruncationIsDetected() {
    RandomCases.check(
        1000,
        random -> {
          String text = encode("x", entries(random));

          assertDamaged(text.substring(0, random.nextInt(text.length())));
        });
  }

  @Test
  void whatWasNeverWrittenIsDamagedAndNeverAnotherFailure() {
    RandomCases.check(
        1000,
        random -> {
          byte[] content = new byte[random.nextInt(300)];
          random.nextBytes(content);
          if (random.nextBoolean()) {
            // Small numbers, which get further before something does not fit.
            for (int i = 0; i < content.length; i++) {
              content[i] &= 3;
            }
          }
          byte[] bytes = new byte[content.length + 5];
          bytes[0] = 1;
          System.arraycopy(content, 0, bytes, 1, content.length);
          try {
            DigestCodec.decode(withChecksum(bytes));
          } catch (DamagedException e) {
            assertThat(e).hasMessageContaining("it ");
          }
        });
  }

  @Test
  void anUnknownVersionIsDamageThatNamesIt() {
    byte[] bytes = Base64.getDecoder().decode(encode("x", List.of()));
    bytes[0] = 9;

    assertThatExceptionOfType(DamagedException.class)
        .isThrownBy(() -> DigestCodec.decode(withChecksum(bytes)))
        .withMessageContaining("version is 9");
  }

  @Test
  void anOffsetWithoutTextIsDamage() {
    assertThatExceptionOfType(DamagedException.class)
        .isThrownBy(() -> DigestCodec.decode(Map.of("digest", 7L)));
    assertThatExceptionOfType(DamagedException.class)
        .isThrownBy(() -> DigestCodec.decode(Map.of()));
  }

  @Test
  void anEmptyBucketIsNoEmptyText() throws DamagedException {
    assertThat(DigestCodec.keys(new Encoder("x").toMap("id:int64"))).isEqualTo("id:int64");
    assertThat(DigestCodec.decode(new Encoder("x").toMap("id:int64")))
        .isEqualTo(new Decoded("x", List.of()));
  }

  @Test
  void keysOutOfOrderAreRefused() {
    assertRefused(Key.of(2), Key.of(1));
    assertRefused(Key.of(2), Key.of(2));
    assertRefused(Key.of("b"), Key.of("a"));
    assertRefused(Key.of("b"), Key.of("b"));
    assertRefused(Key.of("b"), Key.of(9));
  }

  @Test
  void aHashBeyondFortyEightBitsIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Encoder("").add(Key.of(1), GREATEST_HASH + 1, true));
  }

  @Test
  void isWrittenAsItAlwaysWas() {
    List<Entry> entries =
        List.of(
            new Entry(Key.of(-3), 1, true),
            new Entry(Key.of(1000), GREATEST_HASH, false),
            new Entry(Key.of("[\"a\",1]"), 2, true),
            new Entry(Key.of("[\"aé\",2]"), 3, true));

    assertThat(encode("first", entries))
        .isEqualTo(
            "AQVmaXJzdAICAwEBAgUAAAAAAAHqB////////wAHWyJhIiwxXQAAAAAAAgMFw6kiLDJdAAAAAAADwNoITg");
  }

  private static String encode(String snapshotId, List<Entry> entries) {
    Encoder encoder = new Encoder(snapshotId);
    entries.forEach(entry -> encoder.add(entry.key(), entry.hash(), entry.current()));
    return encoder.finish();
  }

  private static String withChecksum(byte[] bytes) {
    int end = bytes.length - 4;
    CRC32C crc = new CRC32C();
    crc.update(bytes, 0, end);
    for (int i = 0; i < 4; i++) {
      bytes[end + i] = (byte) (crc.getValue() >>> (24 - 8 * i));
    }
    return Base64.getEncoder().withoutPadding().encodeToString(bytes);
  }

  private static void assertRefused(Key first, Key second) {
    Encoder encoder = new Encoder("");
    encoder.add(first, 0, true);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> encoder.add(second, 0, true))
        .withMessageContaining("order");
  }

  private static void assertDamaged(String text) {
    assertThatExceptionOfType(DamagedException.class).isThrownBy(() -> DigestCodec.decode(text));
  }
}
