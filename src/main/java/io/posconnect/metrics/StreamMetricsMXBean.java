package io.posconnect.metrics;

/**
 * The metrics of one stream, in JMX under {@code kafka.connect.pos:type=stream-metrics}.
 *
 * <p>{@link MetricTemplate#STREAM} says what each of them means; JMX shows the same text as the
 * attribute's description. Units are in the names, and -1 stands for a time or a number that is not
 * known yet.
 */
public interface StreamMetricsMXBean {

  long getRequestsTotal();

  long getRetriesTotal();

  long getRowsReceivedTotal();

  long getEventsCreatedTotal();

  long getEventsUpdatedTotal();

  long getEventsDeletedTotal();

  long getEventsReadTotal();

  long getSuppressedTotal();

  long getTypeMismatchesTotal();

  long getDeadLettersTotal();

  long getFetchesTotal();

  long getLastFetchDurationMs();

  long getLastFetchRows();

  long getMillisSinceLastFetch();

  long getWatermarkEpochMs();

  long getWatermarkLagMs();

  long getClockSkewMs();

  int getDigestKeys();

  int getDeletesPending();

  int getFullRetention();

  int getSuspended();

  String getSuspensionReason();

  long getSuspendedSinceEpochMs();
}
