package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.resource.Stream;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.Set;
import javax.management.Attribute;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.apache.kafka.common.utils.MockTime;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TaskMetricsTest {

  private static final Stream PRODUCTS = new Stream("downtown", "products");
  private static final Stream INVENTORY = new Stream("airport", "inventory");
  private static final String TASK = "kafka.connect.pos:type=task-metrics,connector=till,task=3";
  private static final String PRODUCTS_BEAN =
      "kafka.connect.pos:type=stream-metrics,connector=till,task=3,location=downtown,resource=products";

  private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();
  private final TaskMetrics metrics = metrics("till", PRODUCTS, INVENTORY);

  @AfterEach
  void leavesNothingBehind() throws JMException {
    metrics.close();
    assertThat(server.queryNames(new ObjectName("kafka.connect.pos:*"), null)).isEmpty();
  }

  @Test
  void showsWhatAStreamIsTold() throws JMException {
    metrics.stream(PRODUCTS).requested();
    metrics.stream(PRODUCTS).updated();
    metrics.stream(PRODUCTS).completed(5, 4, 0, 0, Duration.ofMillis(120));
    metrics.stream(PRODUCTS).suspended("403: key lacks permission Products");

    assertThat(read(PRODUCTS_BEAN, "RequestsTotal")).isEqualTo(1L);
    assertThat(read(PRODUCTS_BEAN, "EventsUpdatedTotal")).isEqualTo(1L);
    assertThat(read(PRODUCTS_BEAN, "LastFetchDurationMs")).isEqualTo(120L);
    assertThat(read(PRODUCTS_BEAN, "Suspended")).isEqualTo(1);
    assertThat(read(PRODUCTS_BEAN, "SuspensionReason"))
        .isEqualTo("403: key lacks permission Products");
  }

  @Test
  void showsTheBufferAndTheStreams() throws JMException {
    assertThat(read(TASK, "BufferRecords")).isEqualTo(0);

    metrics.buffer(() -> 17, () -> 4_096L);
    metrics.stream(INVENTORY).suspended("401");

    assertThat(read(TASK, "BufferRecords")).isEqualTo(17);
    assertThat(read(TASK, "BufferBytes")).isEqualTo(4_096L);
    assertThat(read(TASK, "Streams")).isEqualTo(2);
    assertThat(read(TASK, "StreamsSuspended")).isEqualTo(1);
  }

  @Test
  void refusesAStreamOfAnotherTask() {
    assertThatThrownBy(() -> metrics.stream(new Stream("harbour", "products")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("harbour/products is not a stream of this task");
  }

  @Test
  void cannotBeChangedFromOutside() {
    assertThatThrownBy(
            () ->
                server.setAttribute(
                    new ObjectName(PRODUCTS_BEAN), new Attribute("RequestsTotal", 9L)))
        .isInstanceOf(JMException.class);
  }

  @Test
  void takesNamesThatJmxWouldMisread() throws JMException {
    Stream stream = new Stream("a,b=\"c\"*?:\n", "stück\\liste");
    try (TaskMetrics odd = metrics("till, \"main\"*", stream)) {
      odd.stream(stream).requested();
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
      assertThat(server.getAttribute(name, "RequestsTotal")).isEqualTo(1L);
    }
  }

  @Test
  void closingTakesEverythingOutOnceAndForAll() throws JMException {
    metrics.close();
    metrics.close();

    assertThat(server.isRegistered(new ObjectName(TASK))).isFalse();
    assertThat(server.isRegistered(new ObjectName(PRODUCTS_BEAN))).isFalse();
  }

  @Test
  void theNewerOfTwoTasksHasTheNameAndKeepsItWhenTheOlderIsClosed() throws JMException {
    try (TaskMetrics newer = metrics("till", PRODUCTS)) {
      newer.stream(PRODUCTS).requested();
      assertThat(read(PRODUCTS_BEAN, "RequestsTotal")).isEqualTo(1L);

      metrics.close();
      assertThat(read(PRODUCTS_BEAN, "RequestsTotal")).isEqualTo(1L);
      assertThat(read(TASK, "Streams")).isEqualTo(1);
    }
    assertThat(server.isRegistered(new ObjectName(PRODUCTS_BEAN))).isFalse();
  }

  @Test
  void survivesThatSomebodyElseTookItsBeansOut() throws JMException {
    server.unregisterMBean(new ObjectName(PRODUCTS_BEAN));

    metrics.close();

    assertThat(server.isRegistered(new ObjectName(TASK))).isFalse();
  }

  @Test
  void goesOnWhereJmxRefuses() {
    Stream broken = new Stream("downtown", "products");
    try (TaskMetrics refused = new TaskMetrics("till", 8, Set.of(broken), new MockTime())) {
      refused.stream(broken).requested();
      assertThat(
              Registration.register(
                  "not a name", refused, TaskMetricsMXBean.class, MetricTemplate.TASK))
          .isEmpty();
      assertThat(refused.stream(broken).getRequestsTotal()).isEqualTo(1);
    }
  }

  private Object read(String bean, String attribute) throws JMException {
    return server.getAttribute(new ObjectName(bean), attribute);
  }

  private static TaskMetrics metrics(String connector, Stream... streams) {
    return new TaskMetrics(connector, 3, Set.of(streams), new MockTime());
  }
}
