package io.posconnect.config;

import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;
import java.util.Arrays;

/** The spelling of a {@link Retrieval}, and how to build one from settings. */
enum RetrievalStyle {
  FULL("full", Full.class) {
    @Override
    Retrieval build(Parameters parameters) {
      return new Full(parameters.single());
    }
  },
  MODIFIED_SINCE("modified-since", ModifiedSince.class) {
    @Override
    Retrieval build(Parameters parameters) {
      return parameters.snapshot() == SnapshotStyle.PAGES
          ? new ModifiedSince(parameters.from(), parameters.snapshotPath(), pages(parameters))
          : new ModifiedSince(parameters.from());
    }
  },
  DATE_RANGE("date-range", DateRange.class) {
    @Override
    Retrieval build(Parameters parameters) {
      return new DateRange(parameters.from(), parameters.to());
    }
  },
  PAGES("pages", Pages.class) {
    @Override
    Retrieval build(Parameters parameters) {
      return pages(parameters);
    }
  },
  CURSOR("cursor", Cursor.class) {
    @Override
    Retrieval build(Parameters parameters) {
      return new Cursor(parameters.pageKey(), parameters.maxPageSize(), parameters.rowsPerPage());
    }
  };

  /**
   * What the settings say about requests.
   *
   * @param single whether a full is one object
   * @param snapshot how everything is read when increments exist
   * @param snapshotPath where it is read in pages; empty for the resource's own path
   * @param from parameter of the lower bound
   * @param to parameter of the upper bound
   * @param pageNumber parameter of a page's number
   * @param pageSize parameter of a page's size
   * @param pageKey parameter of a page's key
   * @param maxPageSize parameter of the size of a page that is found by its key
   * @param firstPage number of the first page
   * @param rowsPerPage rows asked for in a page
   */
  record Parameters(
      boolean single,
      SnapshotStyle snapshot,
      String snapshotPath,
      String from,
      String to,
      String pageNumber,
      String pageSize,
      String pageKey,
      String maxPageSize,
      int firstPage,
      int rowsPerPage) {}

  private final String spelling;
  private final Class<? extends Retrieval> type;

  RetrievalStyle(String spelling, Class<? extends Retrieval> type) {
    this.spelling = spelling;
    this.type = type;
  }

  String spelling() {
    return spelling;
  }

  abstract Retrieval build(Parameters parameters);

  static RetrievalStyle of(Retrieval retrieval) {
    return Arrays.stream(values())
        .filter(style -> style.type.isInstance(retrieval))
        .findFirst()
        .orElseThrow();
  }

  private static Pages pages(Parameters parameters) {
    return new Pages(
        parameters.pageNumber(),
        parameters.pageSize(),
        parameters.firstPage(),
        parameters.rowsPerPage());
  }
}
