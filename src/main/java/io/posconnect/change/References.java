package io.posconnect.change;

import java.util.Arrays;
import java.util.Objects;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Refers to each entry of each segment by a positive int. A segment takes references by the page as
 * it grows, and returns them when it is released: short segments waste few, so the ints stay small.
 *
 * <p>Costs 12 bytes a page.
 */
final class References {

  /** Refers to no entry. */
  static final int NONE = 0;

  private static final int BITS = 7;
  private static final int PAGE = 1 << BITS;
  private static final int MOST_PAGES = 1 << (Integer.SIZE - 1 - BITS);

  // Page 0 is no page: it would contain NONE.
  private static final int NO_PAGE = 0;

  private @Nullable Segment[] owners = new Segment[16];

  // The entry of its owner that each page begins with.
  private int[] firsts = new int[owners.length];

  // The page before it of the same owner, or the next free one.
  private int[] links = new int[owners.length];
  private int pages = 1;
  private int free = NO_PAGE;

  /** Refers to the last entry of a segment, whose other entries have got theirs. */
  int add(Segment segment) {
    int entry = segment.length() - 1;
    if (entry % PAGE == 0) {
      int page = free();
      owners[page] = segment;
      firsts[page] = entry;
      links[page] = segment.lastPage;
      segment.lastPage = page;
    }
    return segment.lastPage << BITS | entry % PAGE;
  }

  private int free() {
    if (free != NO_PAGE) {
      int page = free;
      free = links[page];
      return page;
    }
    if (pages == MOST_PAGES) {
      throw new IllegalStateException("the digest of one stream cannot hold any more entries");
    }
    if (pages == owners.length) {
      int capacity = pages + pages / 4;
      owners = Arrays.copyOf(owners, capacity);
      firsts = Arrays.copyOf(firsts, capacity);
      links = Arrays.copyOf(links, capacity);
    }
    return pages++;
  }

  /** Frees the references to a segment; nothing may hold one any more. */
  void release(Segment segment) {
    int page = segment.lastPage;
    while (page != NO_PAGE) {
      int before = links[page];
      owners[page] = null;
      links[page] = free;
      free = page;
      page = before;
    }
  }

  /** Refers to every entry, in an order in which it is quick to visit them. */
  IntStream all() {
    return IntStream.range(1, pages)
        .filter(page -> owners[page] != null)
        .flatMap(page -> IntStream.range(page << BITS, (page << BITS) + length(page)));
  }

  private int length(int page) {
    return Math.min(PAGE, segment(page << BITS).length() - firsts[page]);
  }

  Segment segment(int at) {
    return Objects.requireNonNull(owners[at >>> BITS], "a key's segment is gone");
  }

  /** The position within its segment. */
  int entry(int at) {
    return firsts[at >>> BITS] + at % PAGE;
  }
}
