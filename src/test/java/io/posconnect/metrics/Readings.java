package io.posconnect.metrics;

/** Reads metrics by name, without JMX. */
public final class Readings {

  private Readings() {}

  /** What the stream's metric of that name says: a number or text. */
  public static Object read(StreamMetrics stream, String name) {
    return StreamMetrics.METRICS.stream()
        .filter(metric -> metric.template().name().equals(name))
        .findAny()
        .orElseThrow(() -> new AssertionError("there is no metric " + name))
        .value()
        .apply(stream);
  }

  /** The same of a metric that is a whole number. */
  public static long number(StreamMetrics stream, String name) {
    return ((Number) read(stream, name)).longValue();
  }
}
