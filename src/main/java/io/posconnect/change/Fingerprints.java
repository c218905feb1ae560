package io.posconnect.change;

import com.dynatrace.hash4j.hashing.Hashing;
import io.posconnect.resource.Key;
import java.util.random.RandomGenerator;

/**
 * A set of contents that were said of keys, for as long as it is needed: in memory only, about 20
 * bytes each, and of no more than so many.
 */
public final class Fingerprints {

  private final KeyIndex index;
  private final int most;
  private int size;

  /** Of at most so many contents. */
  public Fingerprints(int most, RandomGenerator random) {
    this.most = most;
    index = new KeyIndex(random.nextLong());
  }

  /** Notes a content; false when it was noted before. One that finds no room is always news. */
  public boolean add(Key key, long contentHash) {
    long name = key.isNumber() ? key.number() : Hashing.komihash5_0().hashCharsToLong(key.text());
    Key fingerprint =
        Key.of(
            Hashing.komihash5_0()
                .hashLongLongLongToLong(key.isNumber() ? 0 : 1, name, contentHash));
    if (index.find(fingerprint) != KeyIndex.NONE) {
      return false;
    }
    if (size < most) {
      index.add(fingerprint);
      size++;
    }
    return true;
  }
}
