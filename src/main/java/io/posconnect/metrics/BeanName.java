package io.posconnect.metrics;

import io.posconnect.resource.Stream;
import java.util.regex.Pattern;
import javax.management.ObjectName;

/** Names in JMX, written as the worker writes its own, so that one dashboard query fits both. */
final class BeanName {

  private static final String DOMAIN = "kafka.connect.pos";

  /** What JMX takes as it stands; anything else is quoted, and only then, as the worker does. */
  private static final Pattern PLAIN = Pattern.compile("[\\w%. \\t-]*");

  private BeanName() {}

  static String task(String connector, int task) {
    return name("task-metrics", connector, Integer.toString(task));
  }

  static String stream(String connector, int task, Stream stream) {
    return name("stream-metrics", connector, Integer.toString(task))
        + (",location=" + value(stream.location()))
        + (",resource=" + value(stream.resource()));
  }

  private static String name(String type, String connector, String task) {
    return DOMAIN + ":type=" + type + ",connector=" + value(connector) + ",task=" + value(task);
  }

  private static String value(String text) {
    return PLAIN.matcher(text).matches() ? text : ObjectName.quote(text);
  }
}
