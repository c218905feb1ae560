package io.posconnect.metrics;

import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import javax.management.StandardMBean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One bean's place in the platform's MBean server. The newest registration of a name has it: an
 * older one is put out, learns of it, and leaves the name alone when it is closed.
 */
final class Registration extends StandardMBean implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Registration.class);

  private final MBeanServer server;
  private final ObjectName name;
  private final Map<String, String> descriptions;
  private volatile boolean registered;

  private <B> Registration(
      MBeanServer server,
      ObjectName name,
      B bean,
      Class<B> type,
      List<MetricTemplate<B>> templates) {
    super(bean, type, true);
    this.server = server;
    this.name = name;
    this.descriptions =
        templates.stream()
            .collect(
                Collectors.toUnmodifiableMap(
                    MetricTemplate::attribute, MetricTemplate::description));
  }

  /** Shows the bean under that name; empty, after a warning, where JMX refuses. */
  static <B> Optional<Registration> register(
      String name, B bean, Class<B> type, List<MetricTemplate<B>> templates) {
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      Registration registration =
          new Registration(server, new ObjectName(name), bean, type, templates);
      registration.replace();
      return Optional.of(registration);
    } catch (JMException | RuntimeException e) {
      log.warn("{}: these metrics are not in JMX", name, e);
      return Optional.empty();
    }
  }

  private void replace() throws JMException {
    // The server is the one object that all copies of this class share, whichever loader they have.
    synchronized (server) {
      if (server.isRegistered(name)) {
        log.info("{}: a newer task takes this name in JMX", name);
        server.unregisterMBean(name);
      }
      server.registerMBean(this, name);
    }
  }

  @Override
  public void postRegister(Boolean done) {
    super.postRegister(done);
    registered = done;
  }

  /** Called also when it is another task that takes the name. */
  @Override
  public void postDeregister() {
    super.postDeregister();
    registered = false;
  }

  @Override
  protected String getDescription(MBeanAttributeInfo attribute) {
    return descriptions.getOrDefault(attribute.getName(), super.getDescription(attribute));
  }

  @Override
  public void close() {
    synchronized (server) {
      if (!registered) {
        return;
      }
      try {
        server.unregisterMBean(name);
      } catch (InstanceNotFoundException e) {
        log.debug("{}: no longer in JMX", name, e);
      } catch (JMException | RuntimeException e) {
        log.warn("{}: these metrics stay in JMX", name, e);
      }
    }
  }
}
