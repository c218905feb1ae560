package io.posconnect.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.Random;
import org.junit.jupiter.api.Test;

final class PlainTextTest {

  @Test
  void findsTheFirstByteThatIsNotPlain() {
    Random random = new Random(1);
    for (int round = 0; round < 200_000; round++) {
      byte[] text = new byte[random.nextInt(40)];
      for (int i = 0; i < text.length; i++) {
        text[i] = (byte) (random.nextInt(8) == 0 ? random.nextInt(256) : 'a' + random.nextInt(26));
      }
      int from = text.length == 0 ? 0 : random.nextInt(text.length);
      int end = from + random.nextInt(text.length - from + 1);

      assertThat(PlainText.end(text, from, end)).isEqualTo(byteByByte(text, from, end));
    }
  }

  @Test
  void knowsEachByteAtEachPlace() {
    for (int b = 0; b < 256; b++) {
      for (int place = 0; place < 17; place++) {
        byte[] text = "aaaaaaaaaaaaaaaaa".getBytes(StandardCharsets.US_ASCII);
        text[place] = (byte) b;

        assertThat(PlainText.end(text, 0, text.length))
            .as("byte %d at %d", b, place)
            .isEqualTo(byteByByte(text, 0, text.length));
      }
    }
  }

  private static int byteByByte(byte[] text, int from, int end) {
    int i = from;
    while (i < end && (text[i] & 0xFF) >= ' ' && text[i] != '"' && text[i] != '\\') {
      i++;
    }
    return i;
  }
}
