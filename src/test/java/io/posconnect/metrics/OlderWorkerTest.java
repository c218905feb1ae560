package io.posconnect.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.resource.Stream;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import javax.tools.ToolProvider;
import org.apache.kafka.common.utils.MockTime;
import org.apache.kafka.common.utils.Time;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Our classes, loaded next to a worker's API as it was before plugins could have metrics. */
class OlderWorkerTest {

  private static final String CONTEXT = "org.apache.kafka.connect.source.SourceTaskContext";
  private static final String PLUGIN_METRICS = "org.apache.kafka.common.metrics.PluginMetrics";

  @TempDir Path worker;

  @Test
  void servesJmxAndDoesWithoutTheWorkersMetrics() throws Exception {
    ClassLoader older = olderWorker();
    Class<?> contextType = older.loadClass(CONTEXT);
    Object context =
        Proxy.newProxyInstance(older, new Class<?>[] {contextType}, (proxy, method, args) -> null);
    Class<?> metricsType = older.loadClass(TaskMetrics.class.getName());
    Object stream =
        older
            .loadClass(Stream.class.getName())
            .getConstructor(String.class, String.class)
            .newInstance("downtown", "products");

    try (AutoCloseable metrics =
            (AutoCloseable)
                metricsType
                    .getConstructor(String.class, int.class, Set.class, Time.class)
                    .newInstance("older", 0, Set.of(stream), new MockTime());
        AutoCloseable bridge =
            (AutoCloseable)
                older
                    .loadClass(PluginMetricsBridge.class.getName())
                    .getMethod("bridge", contextType, metricsType)
                    .invoke(null, context, metrics)) {
      assertThat(metricsType.getMethod("getStreams").invoke(metrics)).isEqualTo(1);
      assertThat(bridge.getClass().getClassLoader()).isSameAs(older);
    }
  }

  @Test
  void namesTheNewerTypesInOneClassOnly() throws Exception {
    ClassLoader older = olderWorker();

    for (Class<?> type : new Class<?>[] {TaskMetrics.class, PluginMetricsBridge.class}) {
      assertThat(older.loadClass(type.getName()).getDeclaredMethods()).isNotEmpty();
      assertThat(older.loadClass(type.getName()).getDeclaredFields()).isNotEmpty();
    }
    Class<?> gauges = older.loadClass(PluginGauges.class.getName());
    assertThatThrownBy(gauges::getDeclaredFields).isInstanceOf(NoClassDefFoundError.class);
  }

  private ClassLoader olderWorker() throws IOException {
    Path source = worker.resolve("SourceTaskContext.java");
    Files.writeString(
        source, "package org.apache.kafka.connect.source; public interface SourceTaskContext {}");
    int failures =
        ToolProvider.getSystemJavaCompiler()
            .run(null, null, null, "-proc:none", "-d", worker.toString(), source.toString());
    assertThat(failures).isZero();
    return new OlderWorker(worker, getClass().getClassLoader());
  }

  private static final class OlderWorker extends ClassLoader {
    private final Path older;

    OlderWorker(Path older, ClassLoader today) {
      super(today);
      this.older = older;
    }

    @Override
    protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
      if (name.equals(PLUGIN_METRICS)) {
        throw new ClassNotFoundException(name);
      }
      if (!name.equals(CONTEXT) && !name.startsWith("io.posconnect.")) {
        return super.loadClass(name, resolve);
      }
      synchronized (getClassLoadingLock(name)) {
        Class<?> loaded = findLoadedClass(name);
        return loaded != null ? loaded : define(name);
      }
    }

    private Class<?> define(String name) throws ClassNotFoundException {
      String file = name.replace('.', '/') + ".class";
      try (InputStream in =
          name.equals(CONTEXT)
              ? Files.newInputStream(older.resolve(file))
              : getParent().getResourceAsStream(file)) {
        byte[] bytes = in.readAllBytes();
        return defineClass(name, bytes, 0, bytes.length);
      } catch (IOException e) {
        throw new ClassNotFoundException(name, e);
      }
    }
  }
}
