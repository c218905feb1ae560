package io.posconnect.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.RandomCases;
import io.posconnect.record.TemporalType.DateAndTime;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

/** The usual spellings of a time are read without a formatter; the result is the same. */
final class TemporalTypeTest {

  private static final List<String> ODD =
      List.of(
          "",
          "2024",
          "2024-02-29",
          "2023-02-29",
          "2024-13-01",
          "2024-00-10",
          "0000-01-01",
          "9999-12-31T23:59:59.999999999Z",
          "-001-01-01",
          "+2024-01-01",
          "2024-01-01T24:00:00Z",
          "2024-01-01T23:59:60Z",
          "2024-01-01T23:60:00",
          "2024-01-01T08:30",
          "2024-01-01T08:30Z",
          "2024-01-01T08:30:0Z",
          "2024-01-01T08:30:00.",
          "2024-01-01T08:30:00.Z",
          "2024-01-01T08:30:00.1234567891Z",
          "2024-01-01T08:30:00,5Z",
          "2024-01-01T08:30:00z",
          "2024-01-01t08:30:00Z",
          "2024-01-01 08:30:00",
          "2024-01-01T08:30:00ZZ",
          "2024-01-01T08:30:00+00:00",
          "2024-01-01T08:30:00.5-11:30",
          "2024-01-01Z",
          "2024-01-01T",
          "2024-1-01T08:30:00",
          "٢٠٢٤-01-01T08:30:00Z",
          "03/01/2024 08:30:00");

  private static final String CHARACTERS = "0123456789-:.TZ+ /e";

  @Test
  void readsOddTimesAsTheFormatterDoes() {
    assertThat(ODD).allSatisfy(TemporalTypeTest::assertSame);
  }

  @Test
  void readsRandomTimesAsTheFormatterDoes() {
    RandomCases.check(20_000, random -> assertSame(text(random)));
  }

  @Test
  void readsUsualTimesWithoutFormatter() {
    assertThat(List.of("2024-05-01", "2024-05-01T09:30:00Z", "2024-05-01T09:30:00.125"))
        .allSatisfy(text -> assertThat(DateAndTime.usual(text)).isNotNull());
  }

  private static String text(RandomGenerator random) {
    long second = random.nextLong(-70_000_000_000L, 260_000_000_000L);
    long nano = (long) (random.nextInt(1_000_000_000) / Math.pow(10, random.nextInt(10)));
    StringBuilder text = new StringBuilder(Instant.ofEpochSecond(second, nano).toString());
    if (random.nextInt(3) == 0) {
      text.setLength(random.nextInt(text.length() + 1));
    }
    for (int change = random.nextInt(3); change > 0 && text.length() > 0; change--) {
      char character = CHARACTERS.charAt(random.nextInt(CHARACTERS.length()));
      text.setCharAt(random.nextInt(text.length()), character);
    }
    return text.toString();
  }

  private static void assertSame(String text) {
    assertThat(read(() -> DateAndTime.parse(text)))
        .as(text)
        .isEqualTo(read(() -> DateAndTime.formatted(text)));
  }

  private interface Reading {
    DateAndTime read();
  }

  private static Object read(Reading reading) {
    try {
      return reading.read();
    } catch (DateTimeException e) {
      return "no time";
    }
  }
}
