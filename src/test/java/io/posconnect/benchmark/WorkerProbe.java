package io.posconnect.benchmark;

import com.sun.management.OperatingSystemMXBean;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.posconnect.Io;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryMXBean;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.PlatformManagedObject;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import javax.management.MBeanServerConnection;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** Reads processor time and heap of a running worker by JMX, which it need not have opened. */
final class WorkerProbe implements AutoCloseable {

  /** What the threads of a worker are for. */
  enum Work {
    FETCH("-fetch"),
    TASK("task-thread-"),
    PRODUCER("kafka-producer-network-thread"),
    /** Compiler, threads of the worker itself, and those that have ended. */
    OTHER(""),
    COLLECTOR(null);

    private final String part;

    Work(String part) {
      this.part = part;
    }

    private static Work of(String thread) {
      return List.of(values()).stream()
          .filter(work -> thread.contains(work.part))
          .findFirst()
          .orElseThrow();
    }
  }

  /** Processor time since the worker's start, in nanoseconds. */
  record Times(long process, Map<Work, Long> work) {

    Times since(Times begin) {
      Map<Work, Long> differences = new EnumMap<>(work);
      differences.replaceAll((key, value) -> value - begin.work.get(key));
      return new Times(process - begin.process, differences);
    }
  }

  private final JMXConnector connector;
  private final OperatingSystemMXBean system;
  private final ThreadMXBean threads;
  private final MemoryMXBean memory;
  private final List<MemoryPoolMXBean> pools;
  private final List<GarbageCollectorMXBean> collectors;

  @SuppressWarnings("BanJNDI") // the worker is ours, on this machine
  WorkerProbe(long pid) {
    try {
      VirtualMachine worker = VirtualMachine.attach(Long.toString(pid));
      try {
        connector =
            JMXConnectorFactory.connect(new JMXServiceURL(worker.startLocalManagementAgent()));
      } finally {
        worker.detach();
      }
      MBeanServerConnection server = connector.getMBeanServerConnection();
      system = only(server, OperatingSystemMXBean.class);
      threads = only(server, ThreadMXBean.class);
      memory = only(server, MemoryMXBean.class);
      pools =
          ManagementFactory.getPlatformMXBeans(server, MemoryPoolMXBean.class).stream()
              .filter(pool -> pool.getType() == MemoryType.HEAP)
              .toList();
      collectors = ManagementFactory.getPlatformMXBeans(server, GarbageCollectorMXBean.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (AttachNotSupportedException e) {
      throw new IllegalStateException(e);
    }
  }

  private static <T extends PlatformManagedObject> T only(
      MBeanServerConnection server, Class<T> bean) throws IOException {
    return ManagementFactory.getPlatformMXBean(server, bean);
  }

  /** The times until now. */
  Times times() {
    long process = system.getProcessCpuTime();
    Map<Work, Long> work = new EnumMap<>(Work.class);
    for (Work each : Work.values()) {
      work.put(each, 0L);
    }
    ThreadInfo[] all = threads.getThreadInfo(threads.getAllThreadIds());
    long known = 0;
    for (ThreadInfo thread : all) {
      long time = thread == null ? -1 : threads.getThreadCpuTime(thread.getThreadId());
      Work of = thread == null ? Work.OTHER : Work.of(thread.getThreadName());
      if (time > 0 && of != Work.OTHER) {
        work.merge(of, time, Long::sum);
        known += time;
      }
    }
    // The serial collector works alone while the others wait.
    long collection =
        collectors.stream().mapToLong(each -> each.getCollectionTime() * 1_000_000).sum();
    work.put(Work.COLLECTOR, collection);
    work.put(Work.OTHER, process - known - collection);
    return new Times(process, work);
  }

  /** Collects everything that nothing refers to; returns what is left, in bytes. */
  long collect() {
    memory.gc();
    return memory.getHeapMemoryUsage().getUsed();
  }

  /** Forgets the peak. */
  void resetPeak() {
    pools.forEach(MemoryPoolMXBean::resetPeakUsage);
  }

  /** The sum of what each part of the heap held at most, garbage included, in bytes. */
  long peak() {
    return pools.stream().mapToLong(pool -> pool.getPeakUsage().getUsed()).sum();
  }

  @Override
  public void close() {
    Io.take(connector::close);
  }
}
