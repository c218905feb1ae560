package io.posconnect.metrics;

import java.lang.management.ManagementFactory;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Reads metrics by name. */
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

  /** The sum of a metric over the beans of that type, as JMX shows it. */
  public static long inJmx(String type, String name) {
    MBeanServer server = ManagementFactory.getPlatformMBeanServer();
    long sum = 0;
    try {
      ObjectName beans = new ObjectName("kafka.connect.pos:type=" + type + ",*");
      for (ObjectName bean : server.queryNames(beans, null)) {
        sum += ((Number) server.getAttribute(bean, name)).longValue();
      }
      return sum;
    } catch (InstanceNotFoundException e) {
      return 0; // Its task has just ended.
    } catch (JMException e) {
      throw new AssertionError(e);
    }
  }

  /** The value of a metric that is a whole number. */
  public static long number(StreamMetrics stream, String name) {
    return ((Number) read(stream, name)).longValue();
  }
}
