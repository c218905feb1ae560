package io.posconnect.json;

/**
 * Bounds what is accepted of a body. All sizes are of the decompressed body.
 *
 * @param bodyBytes bytes of one body
 * @param rowBytes bytes of one row, and of anything between two rows
 * @param depth arrays and objects within each other
 * @param stringLength characters of one string
 * @param numberLength characters of one number
 * @param nameLength characters of one field's name
 */
public record BodyLimits(
    long bodyBytes, int rowBytes, int depth, int stringLength, int numberLength, int nameLength) {

  private static final int MIB = 1 << 20;

  /**
   * 4 GiB, rows of 16 MiB, 200 levels, strings of 8 Mi, numbers of 1000, names of 1000 characters.
   */
  public static final BodyLimits DEFAULT =
      new BodyLimits(4L << 30, 16 * MIB, 200, 8 * MIB, 1000, 1000);

  public BodyLimits {
    if (bodyBytes < 1 || rowBytes < 1 || depth < 1) {
      throw new IllegalArgumentException("a body needs at least one byte, row byte and level");
    }
    if (rowBytes > 1 << 30) {
      throw new IllegalArgumentException("a row of more than 1 GiB cannot be held");
    }
    if (stringLength < 1 || numberLength < 1 || nameLength < 1) {
      throw new IllegalArgumentException("a string, number or name needs at least one character");
    }
  }
}
