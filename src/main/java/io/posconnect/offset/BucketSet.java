package io.posconnect.offset;

import java.util.BitSet;
import java.util.HexFormat;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** An immutable set of bucket numbers; as text, hexadecimal bytes, of which the first holds 0–7. */
public final class BucketSet {

  /** No bucket. */
  public static final BucketSet NONE = new BucketSet(new BitSet());

  private final BitSet bits;

  private BucketSet(BitSet bits) {
    this.bits = bits;
  }

  /**
   * Reads the text form.
   *
   * @throws IllegalArgumentException when it is not hexadecimal
   */
  public static BucketSet parse(String text) {
    return new BucketSet(BitSet.valueOf(HexFormat.of().parseHex(text)));
  }

  /** This set and one more; the same set when it is in already. */
  public BucketSet with(int bucket) {
    if (contains(bucket)) {
      return this;
    }
    BitSet more = (BitSet) bits.clone();
    more.set(bucket);
    return new BucketSet(more);
  }

  public boolean contains(int bucket) {
    return bits.get(bucket);
  }

  public int size() {
    return bits.cardinality();
  }

  /** One more than the greatest number in the set, 0 when it is empty. */
  public int bound() {
    return bits.length();
  }

  public String toText() {
    return HexFormat.of().formatHex(bits.toByteArray());
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof BucketSet set && bits.equals(set.bits);
  }

  @Override
  public int hashCode() {
    return Objects.hash(bits);
  }

  @Override
  public String toString() {
    return bits.toString();
  }
}
