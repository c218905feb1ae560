package io.posconnect.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.posconnect.cluster.Cluster;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.management.Attribute;
import javax.management.AttributeList;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.apache.kafka.common.IsolationLevel;

/** Reads what an operator can read of a running cluster: logs, status, JMX and topics. */
record ClusterInspector(Cluster cluster) {

  /** Sets the level of the connector's loggers, and of its HTTP client's. */
  void level(String level) {
    // Not the worker's own loggers: at TRACE they log every record.
    for (String logger : List.of("io.posconnect", "okhttp3", "okio")) {
      cluster.connect().level(logger, level);
    }
  }

  /** All that an operator reads: status, offsets, task configurations and the worker's log. */
  String seenByOperators(Connector connector) throws IOException {
    String name = connector.name();
    return String.join(
        "\n",
        cluster.connect().status(name).toString(),
        cluster.connect().offsets(name).toString(),
        cluster.connect().taskConfigs(name).toString(),
        Files.readString(cluster.worker(0).log()));
  }

  /** Visits one bean of the connector, with all its attributes. */
  private interface BeanVisitor {
    void visit(ObjectName name, AttributeList attributes);
  }

  /** Visits every bean of the connector; leaves out what a task that ends removes meanwhile. */
  private void eachBean(BeanVisitor visitor)
      throws IOException, JMException, AttachNotSupportedException {
    for (ProcessHandle worker : workers()) {
      try (JMXConnector jmx = connect(worker)) {
        MBeanServerConnection beans = jmx.getMBeanServerConnection();
        Set<ObjectName> names =
            new HashSet<>(beans.queryNames(new ObjectName("kafka.connect.pos:*"), null));
        names.addAll(beans.queryNames(new ObjectName("kafka.connect:type=plugins,pos=*,*"), null));
        for (ObjectName name : names) {
          try {
            visitor.visit(name, attributes(beans, name));
          } catch (InstanceNotFoundException e) {
            System.out.println(name + " is gone");
          }
        }
      }
    }
  }

  /** Every attribute of every bean of the connector. */
  String metrics() throws IOException, JMException, AttachNotSupportedException {
    StringBuilder text = new StringBuilder();
    eachBean((name, attributes) -> text.append(name).append(' ').append(attributes).append('\n'));
    return text.toString();
  }

  /** Every stream's tags and metrics by name, as the workers show them. */
  List<Map<String, String>> streams() throws IOException, JMException, AttachNotSupportedException {
    List<Map<String, String>> streams = new ArrayList<>();
    eachBean(
        (name, attributes) -> {
          if (name.getKeyProperty("resource") != null) {
            Map<String, String> stream = new HashMap<>(name.getKeyPropertyList());
            for (Attribute metric : attributes.asList()) {
              stream.put(metric.getName(), String.valueOf(metric.getValue()));
            }
            streams.add(stream);
          }
        });
    return streams;
  }

  /**
   * The threads and memory of one worker.
   *
   * @param threads of its JVM
   * @param liveBytes of its heap, garbage not counted
   */
  record Use(int threads, long liveBytes) {
    @Override
    public String toString() {
      return threads + " threads, " + (liveBytes >> 20) + " MB live";
    }
  }

  /** Of the only worker. */
  Use use() throws IOException, JMException, AttachNotSupportedException {
    try (JMXConnector jmx = connect(workers().get(0))) {
      MBeanServerConnection beans = jmx.getMBeanServerConnection();
      ObjectName memory = new ObjectName("java.lang:type=Memory");
      beans.invoke(memory, "gc", null, null);
      CompositeData heap = (CompositeData) beans.getAttribute(memory, "HeapMemoryUsage");
      ObjectName threads = new ObjectName("java.lang:type=Threading");
      return new Use((int) beans.getAttribute(threads, "ThreadCount"), (long) heap.get("used"));
    }
  }

  /** The processor time of all workers since they started. */
  static Duration processorTime() {
    return workers().stream()
        .map(worker -> worker.info().totalCpuDuration().orElseThrow())
        .reduce(Duration.ZERO, Duration::plus);
  }

  private static List<ProcessHandle> workers() {
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().commandLine().orElse("").contains("ConnectDistributed"))
        .toList();
  }

  private static JMXConnector connect(ProcessHandle worker)
      throws IOException, AttachNotSupportedException {
    VirtualMachine machine = VirtualMachine.attach(Long.toString(worker.pid()));
    try {
      return connect(machine.startLocalManagementAgent());
    } finally {
      machine.detach();
    }
  }

  @SuppressWarnings("BanJNDI") // The address is that of our own child.
  private static JMXConnector connect(String address) throws IOException {
    return JMXConnectorFactory.connect(new JMXServiceURL(address));
  }

  private static AttributeList attributes(MBeanServerConnection beans, ObjectName name)
      throws IOException, JMException {
    MBeanAttributeInfo[] attributes = beans.getMBeanInfo(name).getAttributes();
    String[] names = new String[attributes.length];
    for (int i = 0; i < names.length; i++) {
      names[i] = attributes[i].getName();
    }
    return beans.getAttributes(name, names);
  }

  /** Keys, values and headers of everything on every topic, the worker's own ones too. */
  String everyTopic() {
    StringBuilder text = new StringBuilder();
    for (String topic : cluster.topics().topics()) {
      cluster
          .topics()
          .readRaw(
              topic,
              IsolationLevel.READ_UNCOMMITTED,
              message -> {
                append(text, message.key());
                append(text, message.value());
                message.headers().forEach(header -> append(text, header.value()));
              });
    }
    return text.toString();
  }

  private static void append(StringBuilder text, byte[] bytes) {
    if (bytes != null) {
      text.append(new String(bytes, UTF_8)).append('\n');
    }
  }
}
