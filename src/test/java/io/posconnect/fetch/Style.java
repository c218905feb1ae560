package io.posconnect.fetch;

import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;

/** The ways of reading a resource that the law is held to. */
enum Style {
  FULL(new Full(false)),
  MODIFIED(new ModifiedSince("from")),
  DATE_RANGE(new DateRange("from", "to")),
  PAGES(new Pages("page", "size", 1, 3)),
  CURSOR(new Cursor("key", "size", 3)),
  MODIFIED_PAGES(new ModifiedSince("from", "/pages", new Pages("page", "size", 1, 4)));

  @SuppressWarnings("ImmutableEnumChecker") // Retrievals are records of texts and numbers.
  private final Retrieval retrieval;

  Style(Retrieval retrieval) {
    this.retrieval = retrieval;
  }

  Retrieval retrieval() {
    return retrieval;
  }

  boolean filtered() {
    return retrieval.filtered();
  }

  boolean shifting() {
    return retrieval.shifting();
  }
}
