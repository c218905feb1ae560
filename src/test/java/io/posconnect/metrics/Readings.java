package io.posconnect.metrics;

/** Reads metrics by name, without JMX. */
public final class Readings {

  private Readings() {}

  /** The value of the stream's metric of that name: a number or text. */
  public static Object read(StreamMetrics stream, String name) {
    return Metric.OF_STREAM.stream()
        .filter(metric -> metric.template().name().equals(name))
        .findAny()
        .orElseThrow(() -> new AssertionError("there is no metric " + name))
        .value()
        .apply(stream);
  }

  /** The value of a metric that is a whole number. */
  public static long number(StreamMetrics stream, String name) {
    return ((Number) read(stream, name)).longValue();
  }
}
