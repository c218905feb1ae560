package io.posconnect.metrics;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.TaskLog;
import io.posconnect.metrics.StreamMetrics.State;
import io.posconnect.metrics.TaskMetrics.BufferUse;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Stream;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.StandardMBean;
import org.apache.kafka.common.MetricNameTemplate;
import org.apache.kafka.common.utils.MockTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskMetricsTest {

  private static final Stream PRODUCTS = new Stream("downtown", "products");
  private static final Incident LACKS_PERMISSION =
      Problem.PERMISSION_MISSING.incident("downtown/products: GET /products 403");
  private static final Stream INVENTORY = new Stream("airport", "inventory");
  private static final String TASK = "kafka.connect.pos:type=task-metrics,connector=till,task=3";
  private static final String PRODUCTS_BEAN =
      "kafka.connect.pos:type=stream-metrics,connector=till,task=3,location=downtown,resource=products";
  private static final String INVENTORY_BEAN =
      PRODUCTS_BEAN.replace("downtown", "airport").replace("products", "inventory");
  private static final BufferUse BUFFER = new BufferUse(17, 4_096, 170, 40_960, 3);

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final TaskMetrics metrics = metrics("till", PRODUCTS, INVENTORY);

  @AfterEach
  void leavesNothingBehind() throws JMException {
    metrics.close();
    assertThat(server.queryNames(new ObjectName("kafka.connect.pos:*"), null)).isEmpty();
  }

  @Test
  void showsBufferAndStreamsOfTask() throws JMException {
    of(metrics, INVENTORY).suspended(LACKS_PERMISSION);

    assertThat(read(TASK, "buffer-records")).isEqualTo(17);
    assertThat(read(TASK, "buffer-bytes")).isEqualTo(4_096L);
    assertThat(read(TASK, "records-total")).isEqualTo(170L);
    assertThat(read(TASK, "record-bytes-total")).isEqualTo(40_960L);
    assertThat(read(TASK, "buffer-blocked-ms-total")).isEqualTo(3L);
    assertThat(read(TASK, "streams")).isEqualTo(2);
    assertThat(read(TASK, "streams-suspended")).isEqualTo(1L);
    assertThat(read(INVENTORY_BEAN, "suspension-reason")).isEqualTo(LACKS_PERMISSION.toString());
    assertThat(read(TASK, "streams-waiting")).isEqualTo(5);
  }

  @Test
  void refusesChangesThroughJmx() {
    assertThatThrownBy(
            () ->
                server.setAttribute(
                    new ObjectName(PRODUCTS_BEAN), new Attribute("requests-total", 9L)))
        .isInstanceOf(RuntimeMBeanException.class);
    assertThat(Readings.number(of(metrics, PRODUCTS), "requests-total")).isZero();
  }

  @Test
  void quotesNamesThatJmxWouldMisread() throws JMException {
    Stream stream = new Stream("a,b=\"c\"*?:\n", "stück\\liste");
    try (TaskMetrics odd = metrics("till, \"main\"*", stream)) {
      of(odd, stream).add(State.SENT, 1);
      ObjectName name =
          server
              .queryNames(new ObjectName("kafka.connect.pos:type=stream-metrics,task=3,*"), null)
              .stream()
              .filter(each -> each.getKeyProperty("connector").startsWith("\""))
              .findFirst()
              .orElseThrow();

      assertThat(name.isPattern()).isFalse();
      assertThat(ObjectName.unquote(name.getKeyProperty("connector"))).isEqualTo("till, \"main\"*");
      assertThat(ObjectName.unquote(name.getKeyProperty("location"))).isEqualTo(stream.location());
      assertThat(ObjectName.unquote(name.getKeyProperty("resource"))).isEqualTo(stream.resource());
      assertThat(server.getAttribute(name, "requests-total")).isEqualTo(1L);
    }
  }

  @Test
  void keepsNewerTaskWhenOlderOneCloses() throws JMException {
    try (TaskMetrics newer = metrics("till", PRODUCTS)) {
      of(newer, PRODUCTS).add(State.SENT, 1);
      assertThat(read(PRODUCTS_BEAN, "requests-total")).isEqualTo(1L);

      metrics.close();
      assertThat(read(PRODUCTS_BEAN, "requests-total")).isEqualTo(1L);
      assertThat(read(TASK, "streams")).isEqualTo(1);
    }
    assertThat(server.isRegistered(new ObjectName(PRODUCTS_BEAN))).isFalse();
  }

  @Test
  void closesWhenItsBeansWereRemoved() throws JMException {
    server.unregisterMBean(new ObjectName(PRODUCTS_BEAN));

    metrics.close();

    assertThat(server.isRegistered(new ObjectName(TASK))).isFalse();
  }

  @Test
  void hidesStreamThatNewerTaskDoesNotOwn() throws JMException {
    try (TaskMetrics newer = metrics("till", INVENTORY)) {
      assertThat(of(newer, INVENTORY)).isNotNull();
      assertThat(server.isRegistered(new ObjectName(PRODUCTS_BEAN))).isFalse();
      of(metrics, PRODUCTS).add(State.SENT, 1);
      assertThat(Readings.number(of(metrics, PRODUCTS), "requests-total")).isEqualTo(1);
    }
  }

  @Test
  void keepsMetricsOfOtherTasks() throws JMException {
    try (TaskMetrics other = inJmx("till", 4)) {
      metrics.close();
      assertThat(read(TASK.replace("task=3", "task=4"), "streams")).isEqualTo(0);
      other.close();
    }
  }

  @Test
  void showsEachMetricWithNameAndMeaningOnly() throws JMException {
    assertThat(shown(PRODUCTS_BEAN)).isEqualTo(documented(Metric.OF_STREAM));
    assertThat(shown(TASK)).isEqualTo(documented(Metric.OF_TASK));
    assertThat(server.queryNames(new ObjectName("kafka.connect.pos:*"), null))
        .extracting(ObjectName::toString)
        .containsExactlyInAnyOrder(TASK, PRODUCTS_BEAN, INVENTORY_BEAN);
  }

  @Test
  void logsOneWarningWhenJmxRefuses() throws JMException {
    ObjectName claimed = new ObjectName(TASK.replace("task=3", "task=8"));
    Squatter squatter = new Squatter();
    server.registerMBean(squatter, claimed);
    try (TaskLog log = TaskLog.listen();
        TaskMetrics refused = inJmx("till", 8, PRODUCTS)) {
      of(refused, PRODUCTS).add(State.SENT, 1);

      assertThat(Readings.number(of(refused, PRODUCTS), "requests-total")).isEqualTo(1);
      assertThat(log.lines())
          .filteredOn(line -> line.startsWith("WARN"))
          .singleElement()
          .asString()
          .startsWith("WARN " + Problem.METRICS_REFUSED.at("till/8"));
    } finally {
      squatter.stays = false;
      inJmx("till", 8, PRODUCTS).close();
    }
  }

  /** The interface that JMX demands of {@link Squatter}. */
  public interface SquatterMXBean {
    boolean isThere();
  }

  /** Holds a name in JMX and refuses to release it. */
  private static final class Squatter extends StandardMBean implements SquatterMXBean {
    boolean stays = true;

    Squatter() {
      super(SquatterMXBean.class, true);
    }

    @Override
    public boolean isThere() {
      return true;
    }

    @Override
    public void preDeregister() {
      if (stays) {
        throw new IllegalStateException("this name is taken");
      }
    }
  }

  private Map<String, String> shown(String bean) throws JMException {
    return Arrays.stream(server.getMBeanInfo(new ObjectName(bean)).getAttributes())
        .collect(Collectors.toMap(MBeanAttributeInfo::getName, MBeanAttributeInfo::getDescription));
  }

  private static <S> Map<String, String> documented(List<Metric<S>> metrics) {
    return metrics.stream()
        .map(Metric::template)
        .peek(each -> assertThat(each.name()).matches("[a-z]+(-[a-z0-9]+)*"))
        .peek(each -> assertThat(each.description()).isNotBlank().doesNotContain("|", "\n"))
        .collect(Collectors.toMap(MetricNameTemplate::name, MetricNameTemplate::description));
  }

  private Object read(String bean, String attribute) throws JMException {
    return server.getAttribute(new ObjectName(bean), attribute);
  }

  private static TaskMetrics metrics(String connector, Stream... streams) {
    return inJmx(connector, 3, streams);
  }

  /** As on a worker before Connect 4.1. */
  private static TaskMetrics inJmx(String connector, int task, Stream... streams) {
    MockTime time = new MockTime();
    return task(time, connector, task, new JmxDisplay(time), streams);
  }

  static TaskMetrics task(
      MockTime time, String connector, int task, Display display, Stream... streams) {
    Map<Stream, StreamMetrics> each =
        Arrays.stream(streams)
            .collect(Collectors.toMap(own -> own, own -> new StreamMetrics(time)));
    return new TaskMetrics(connector, task, each, () -> BUFFER, () -> 5, display);
  }

  static StreamMetrics of(TaskMetrics metrics, Stream stream) {
    return requireNonNull(metrics.streams.get(stream));
  }
}
