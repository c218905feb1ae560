package io.posconnect.acceptance;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.posconnect.cluster.Cluster;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

/** What somebody who runs the cluster can turn on and look at. */
record ClusterInspector(Cluster cluster) {

  /** Lets the worker log what it says to developers. */
  void debug(String logger) throws IOException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(cluster.worker(0).restUrl() + "/admin/loggers/" + logger))
            .header("Content-Type", "application/json")
            .PUT(HttpRequest.BodyPublishers.ofString("{\"level\":\"DEBUG\"}"))
            .timeout(Duration.ofSeconds(30))
            .build();
    try {
      var answer = HttpClient.newHttpClient().send(request, BodyHandlers.ofString());
      if (answer.statusCode() / 100 != 2) {
        throw new IOException("loggers answered " + answer.statusCode() + ": " + answer.body());
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("interrupted", e);
    }
  }

  /** Told of one bean of ours, and of all its attributes. */
  private interface BeanVisitor {
    void visit(ObjectName name, AttributeList attributes);
  }

  /** What a task that ends takes away is left out. */
  private void eachBean(BeanVisitor visitor)
      throws IOException, JMException, AttachNotSupportedException {
    for (ProcessHandle worker : workers()) {
      try (JMXConnector jmx = connect(worker)) {
        MBeanServerConnection beans = jmx.getMBeanServerConnection();
        for (ObjectName name : beans.queryNames(new ObjectName("kafka.connect.pos:*"), null)) {
          try {
            visitor.visit(name, attributes(beans, name));
          } catch (InstanceNotFoundException e) {
            System.out.println(name + " is gone");
          }
        }
      }
    }
  }

  /** Every attribute of every bean of ours. */
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
   * What one worker holds.
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
