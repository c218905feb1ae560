package io.posconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.StoreScope;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the one cluster of their process, started when the first of them asks:
 * {@code @ExtendWith(SharedCluster.class)} and a parameter of type {@link Cluster}.
 *
 * <p>All classes that the process runs share it, so a test names its topics and connectors after
 * itself, deletes its connectors, and brings back what it kills. Compatibility of all subjects is
 * {@code FULL_TRANSITIVE}, and after all that a class has done every one of them still has one
 * version.
 */
public final class SharedCluster implements ParameterResolver, AfterAllCallback {

  /** The one subject of which a test declares more and more; that of its keys is none. */
  public static final String GROWING = "grown.products-value";

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Cluster.class;
  }

  @Override
  public Cluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return shared(context).computeIfAbsent(Cluster.class, type -> started(), Cluster.class);
  }

  @Override
  public void afterAll(ExtensionContext context) {
    Cluster cluster = shared(context).get(Cluster.class, Cluster.class);
    if (cluster == null) { // None of the tests that ran wanted it.
      return;
    }
    Registry registry = cluster.registry();
    for (String subject : registry.subjects()) {
      if (!subject.equals(GROWING)) {
        assertThat(registry.versions(subject)).as(subject).isEqualTo(List.of(1));
      }
    }
  }

  private static ExtensionContext.Store shared(ExtensionContext context) {
    // A process of several that run the suite makes a request, with a root, of each class.
    return context.getStore(StoreScope.LAUNCHER_SESSION, Namespace.create(SharedCluster.class));
  }

  private static Cluster started() {
    Cluster cluster = Cluster.start(ClusterOptions.of("suite"));
    cluster.registry().compatibility("FULL_TRANSITIVE");
    return cluster;
  }
}
