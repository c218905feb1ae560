package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.posconnect.offset.DigestCodec.Decoded;
import io.posconnect.offset.DigestCodec.Encoder;
import io.posconnect.offset.DigestCodec.Entry;
import io.posconnect.resource.Key;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.zip.CRC32C;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Assume;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

class DigestCodecTest {

  private static final long GREATEST_HASH = (1L << 48) - 1;

  @Provide
  Arbitrary<List<Entry>> entries() {
    Arbitrary<Key> keys =
        Arbitraries.oneOf(
            Arbitraries.longs().map(Key::of),
            Arbitraries.longs().between(-100, 1000).map(Key::of),
            Arbitraries.strings().ofMaxLength(20).map(Key::of),
            Arbitraries.strings().withChars("ab\ud83d\ude00é").ofMaxLength(200).map(Key::of));
    return Combinators.combine(
            keys, Arbitraries.longs().between(0, GREATEST_HASH), Arbitraries.of(true, true, false))
        .as(Entry::new)
        .list()
        .ofMaxSize(60)
        .map(DigestCodecTest::sorted);
  }

  private static List<Entry> sorted(List<Entry> entries) {
    TreeMap<Key, Entry> sorted = new TreeMap<>();
    entries.forEach(entry -> sorted.put(entry.key(), entry));
    return List.copyOf(sorted.values());
  }

  @Property
  void givesBackWhatItTook(@ForAll("entries") List<Entry> entries, @ForAll String snapshotId)
      throws DamagedException {
    Assume.that(StandardCharsets.UTF_8.newEncoder().canEncode(snapshotId));

    assertThat(DigestCodec.decode(encode(snapshotId, entries)))
        .isEqualTo(new Decoded(snapshotId, entries));
  }

  @Property
  void anyChangedCharacterIsDetected(
      @ForAll("entries") List<Entry> entries,
      @ForAll @IntRange(max = 1_000_000) int place,
      @ForAll @IntRange(min = 1, max = 127) int flip) {
    StringBuilder text = new StringBuilder(encode("x", entries));
    int index = place % text.length();
    text.setCharAt(index, (char) (text.charAt(index) ^ flip));

    assertDamaged(text.toString());
  }

  @Property
  void anyTruncationIsDetected(
      @ForAll("entries") List<Entry> entries, @ForAll @IntRange(max = 1_000_000) int length) {
    String text = encode("x", entries);

    assertDamaged(text.substring(0, length % text.length()));
  }

  @Property
  void whatWasNeverWrittenIsDamagedAndNeverAnotherFailure(@ForAll byte[] content) {
    byte[] bytes = new byte[content.length + 5];
    bytes[0] = 1;
    System.arraycopy(content, 0, bytes, 1, content.length);
    try {
      DigestCodec.decode(withChecksum(bytes));
    } catch (DamagedException e) {
      assertThat(e).hasMessageContaining("it ");
    }
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
    assertThat(new Encoder("x").toMap("")).containsOnlyKeys("digest");
    assertThat(DigestCodec.keys(new Encoder("x").toMap(""))).isEmpty();
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
