package io.posconnect.json;

/**
 * Bounds what is accepted of a body. All sizes are of the decompressed body.
 *
 * <p>A body beyond its own limit is not read on. A row beyond one of the others is skipped, and the
 * next one is read.
 *
 * @param bodyBytes bytes of one body
 * @param rowBytes bytes of one row, and of the blanks between two rows
 * @param depth arrays and objects within each other
 * @param numberLength characters of one number
 * @param nameLength characters of one field's name
 */
public record BodyLimits(
    long bodyBytes, int rowBytes, int depth, int numberLength, int nameLength) {

  /** Fields and elements of one row, at any depth: each takes tens of bytes to hold. */
  static final int MOST_VALUES = 100_000;

  /** The most bytes of a row that are skipped in search of its end. */
  static final long MOST_SKIPPED = 32 << 20;

  /** 4 GiB, rows of 900,000 bytes, 200 levels, numbers and names of 1000 characters. */
  public static final BodyLimits DEFAULT =
      new BodyLimits(4L << 30, 900_000, 200, JsonNumber.MOST_DIGITS, 1000);

  public BodyLimits withRowBytes(int bytes) {
    return new BodyLimits(bodyBytes, bytes, depth, numberLength, nameLength);
  }

  /** The limit that the parser reports as exceeded, by the name of its own accessor. */
  String named(String message) {
    if (message.contains("getMaxNestingDepth")) {
      return depth + " levels of nesting";
    }
    if (message.contains("getMaxNumberLength")) {
      return numberLength + " characters of one number";
    }
    if (message.contains("getMaxNameLength")) {
      return nameLength + " characters of one field's name";
    }
    return "a limit of the parser";
  }
}
