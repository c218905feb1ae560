package io.posconnect.cluster;

import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;

/**
 * Gives tests the suite's one cluster, started when the first of them asks:
 * {@code @ExtendWith(SharedCluster.class)} and a parameter of type {@link Cluster}.
 *
 * <p>It is everybody's, so a test names its topics and connectors after itself, deletes its
 * connectors, and brings back what it kills. Compatibility of all subjects is {@code
 * FULL_TRANSITIVE}.
 */
public final class SharedCluster implements ParameterResolver {

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    return parameter.getParameter().getType() == Cluster.class;
  }

  @Override
  public Cluster resolveParameter(ParameterContext parameter, ExtensionContext context) {
    return context
        .getRoot()
        .getStore(ExtensionContext.Namespace.create(SharedCluster.class))
        .computeIfAbsent(Cluster.class, type -> started(), Cluster.class);
  }

  private static Cluster started() {
    Cluster cluster = Cluster.start(ClusterOptions.of("suite"));
    cluster.schemas().compatibility("FULL_TRANSITIVE");
    return cluster;
  }
}
