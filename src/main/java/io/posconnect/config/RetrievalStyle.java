package io.posconnect.config;

import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Cursor;
import io.posconnect.resource.Retrieval.DateRange;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import io.posconnect.resource.Retrieval.Pages;
import io.posconnect.resource.Stream;
import java.util.Arrays;
import java.util.function.BiFunction;
import java.util.stream.Collectors;

/** Spells each {@link Retrieval}, and builds it from the settings of a resource. */
@SuppressWarnings("ImmutableEnumChecker") // Its functions have no state.
enum RetrievalStyle {
  FULL(
      "full",
      Full.class,
      (config, stream) -> new Full(ResourceSettings.single(config, stream.resource()))),
  MODIFIED_SINCE("modified-since", ModifiedSince.class, RetrievalStyle::modifiedSince),
  DATE_RANGE(
      "date-range",
      DateRange.class,
      (config, stream) ->
          new DateRange(
              config.value(ResourceSettings.FROM, stream),
              config.value(ResourceSettings.TO, stream))),
  PAGES("pages", Pages.class, RetrievalStyle::pages),
  CURSOR(
      "cursor",
      Cursor.class,
      (config, stream) ->
          new Cursor(
              config.value(ResourceSettings.PAGE_KEY, stream),
              config.value(ResourceSettings.MAX_PAGE_SIZE, stream),
              config.value(ResourceSettings.ROWS_PER_PAGE, stream)));

  /** All of them, for a person. */
  static final String SPELLINGS =
      Arrays.stream(values())
          .map(RetrievalStyle::spelling)
          .collect(Collectors.joining(", "))
          .replaceAll(", (\\w+)$", " or $1");

  private final String spelling;
  private final Class<? extends Retrieval> type;
  private final BiFunction<LayeredConfig, Stream, Retrieval> builder;

  RetrievalStyle(
      String spelling,
      Class<? extends Retrieval> type,
      BiFunction<LayeredConfig, Stream, Retrieval> builder) {
    this.spelling = spelling;
    this.type = type;
    this.builder = builder;
  }

  String spelling() {
    return spelling;
  }

  Retrieval build(LayeredConfig config, Stream stream) {
    return builder.apply(config, stream);
  }

  static RetrievalStyle of(Retrieval retrieval) {
    return Arrays.stream(values())
        .filter(style -> style.type.isInstance(retrieval))
        .findFirst()
        .orElseThrow();
  }

  private static Retrieval modifiedSince(LayeredConfig config, Stream stream) {
    String from = config.value(ResourceSettings.FROM, stream);
    return config.value(ResourceSettings.SNAPSHOT_IN_PAGES, stream)
        ? new ModifiedSince(
            from,
            config.find(ResourceSettings.SNAPSHOT_PATH, stream).orElse(""),
            pages(config, stream))
        : new ModifiedSince(from);
  }

  private static Retrieval pages(LayeredConfig config, Stream stream) {
    return new Pages(
        config.value(ResourceSettings.PAGE_NUMBER, stream),
        config.value(ResourceSettings.PAGE_SIZE, stream),
        config.value(ResourceSettings.FIRST_PAGE, stream),
        config.value(ResourceSettings.ROWS_PER_PAGE, stream));
  }
}
