package io.posconnect.change;

import io.posconnect.resource.Key;
import java.util.Arrays;

/**
 * Entries sorted by key, never written to again once it is shared; numbers stand before texts, as
 * in {@link Key}'s order, and cost no object.
 */
final class SortedEntries {

  static final SortedEntries EMPTY = new SortedEntries(new long[0], new String[0], new long[0]);

  private final long[] numbers;
  private final String[] texts;
  private final long[] words;

  SortedEntries(long[] numbers, String[] texts, long[] words) {
    this.numbers = numbers;
    this.texts = texts;
    this.words = words;
  }

  int size() {
    return words.length;
  }

  Key key(int index) {
    return index < numbers.length ? Key.of(numbers[index]) : Key.of(texts[index - numbers.length]);
  }

  long word(int index) {
    return words[index];
  }

  /** The key's index, negative when it is absent. */
  int find(Key key) {
    if (key.isNumber()) {
      return Arrays.binarySearch(numbers, key.number());
    }
    int index = Arrays.binarySearch(texts, key.text());
    return index < 0 ? index : index + numbers.length;
  }
}
