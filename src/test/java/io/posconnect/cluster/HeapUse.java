package io.posconnect.cluster;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * What a JVM's garbage collections saw.
 *
 * @param peakBytes the most that was in use before a collection, garbage included
 * @param peakLiveBytes the most that was left after one: the smallest heap that would have done
 * @param collections how many there were; without any, both peaks are 0
 */
public record HeapUse(long peakBytes, long peakLiveBytes, int collections) {

  static final HeapUse NONE = new HeapUse(0, 0, 0);

  /** {@code 45M->12M(256M)}, as the unified GC log writes it. */
  private static final Pattern PAUSE = Pattern.compile("Pause .* (\\d+)([KMG])->(\\d+)([KMG])\\(");

  /** Reads a log that was written with {@code -Xlog:gc}. */
  static HeapUse read(Path gcLog) {
    if (!Files.exists(gcLog)) {
      return NONE;
    }
    try (Stream<String> lines = Files.lines(gcLog)) {
      return lines.map(HeapUse::ofLine).reduce(NONE, HeapUse::plus);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  static HeapUse ofLine(String line) {
    Matcher pause = PAUSE.matcher(line);
    if (!pause.find()) {
      return NONE;
    }
    return new HeapUse(
        bytes(pause.group(1), pause.group(2)), bytes(pause.group(3), pause.group(4)), 1);
  }

  HeapUse plus(HeapUse other) {
    return new HeapUse(
        Math.max(peakBytes, other.peakBytes),
        Math.max(peakLiveBytes, other.peakLiveBytes),
        collections + other.collections);
  }

  private static long bytes(String number, String unit) {
    int shift =
        switch (unit) {
          case "K" -> 10;
          case "M" -> 20;
          case "G" -> 30;
          default -> throw new IllegalArgumentException(unit);
        };
    return Long.parseLong(number) << shift;
  }
}
