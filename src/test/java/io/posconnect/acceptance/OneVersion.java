package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import java.util.List;
import org.junit.jupiter.api.extension.AfterAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;

/** After all that a class has done, every subject of the shared cluster still has one version. */
final class OneVersion implements AfterAllCallback {

  @Override
  public void afterAll(ExtensionContext context) {
    Cluster cluster =
        context
            .getRoot()
            .getStore(Namespace.create(SharedCluster.class))
            .get(Cluster.class, Cluster.class);
    for (String subject : cluster.schemas().subjects()) {
      assertThat(cluster.schemas().versions(subject)).as(subject).isEqualTo(List.of(1));
    }
  }
}
