package io.posconnect.resource;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;
import io.posconnect.resource.Retrieval.Style;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class RetrievalTest {

  private static final Pages PAGES = new Pages("page", "size", 1, 2);
  private static final Request FIRST = PAGES.first("/x", Window.ALL);
  private static final Request SECOND = PAGES.next(FIRST, PageEnd.of(2), PageEnd.of(2)).get();
  private static final PageEnd FULL = PageEnd.of(2);
  private static final PageEnd SHORT = PageEnd.of(1);

  @Test
  void endsPagedListBehindFirstPageAndNoOtherReadOnNotFound() {
    assertThat(PAGES.endsBefore(SECOND, 404, FULL)).isTrue();
    assertThat(PAGES.endsBefore(FIRST, 404, FULL)).isFalse();
    assertThat(new ModifiedSince("since", "", PAGES).endsBefore(SECOND, 404, FULL)).isTrue();
    Request increment =
        new ModifiedSince("since", "", PAGES).first("/x", Window.since(Instant.EPOCH));
    assertThat(new ModifiedSince("since", "", PAGES).endsBefore(increment, 404, FULL)).isFalse();
    assertThat(new Full(false).endsBefore(new Request("/x"), 404, FULL)).isFalse();
    assertThat(new Cursor("key", "size", 2).endsBefore(SECOND, 404, FULL)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 413, 416, 422})
  void neverEndsPagedListOnRefusalToPageDeeper(int status) {
    assertThat(PAGES.endsBefore(SECOND, status, FULL)).isFalse();
    assertThat(new ModifiedSince("since", "", PAGES).endsBefore(SECOND, status, FULL)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {400, 404, 410, 413, 416, 422})
  void endsPagedListOnAnyRefusalBehindShortFirstPage(int status) {
    Request third = PAGES.next(SECOND, SHORT, SHORT).orElseThrow();

    assertThat(PAGES.endsBefore(SECOND, status, SHORT)).isTrue();
    assertThat(PAGES.endsBefore(third, status, SHORT)).as("capped pages").isEqualTo(status == 404);
    assertThat(PAGES.endsBefore(FIRST, status, SHORT)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {301, 401, 403, 407})
  void neverEndsPagedListOnRefusalOfTheKey(int status) {
    assertThat(PAGES.endsBefore(SECOND, status, SHORT)).isFalse();
  }

  @Test
  void endsPagesAtShortPageButNeverAtShortFirstPage() {
    PageEnd capped = PageEnd.of(1);

    assertThat(PAGES.next(FIRST, capped, capped)).contains(SECOND);
    assertThat(PAGES.next(SECOND, capped, capped)).isPresent();
    assertThat(PAGES.next(SECOND, capped, PageEnd.of(2))).isEmpty();
    assertThat(PAGES.next(FIRST, PageEnd.of(0), PageEnd.of(0))).isEqualTo(Optional.empty());
  }

  @Test
  void emptyPageZeroIsNotTheEndWhereTheServiceCountsFromOne() {
    Pages fromZero = new Pages("page", "size", 0, 2);
    PageEnd empty = PageEnd.of(0);
    Request zero = fromZero.first("/x", Window.ALL);
    Request one = fromZero.next(zero, empty, empty).orElseThrow();

    assertThat(fromZero.next(one, FULL, empty)).isPresent();
    assertThat(fromZero.next(one, empty, empty)).isEqualTo(Optional.empty());
  }

  @Test
  void spellsEachStyleOnce() {
    assertThat(Style.values())
        .extracting(Style::spelling)
        .containsExactly("full", "modified-since", "date-range", "pages", "cursor");
    assertThat(PAGES.style()).isEqualTo(Style.PAGES);
  }
}
