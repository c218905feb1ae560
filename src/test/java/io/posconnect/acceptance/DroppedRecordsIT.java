package io.posconnect.acceptance;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.SharedCluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * On workers with exactly-once delivery a transform drops whole batches, for which Connect opens no
 * transaction; whether the connector requires that delivery or only gets it.
 */
@ExtendWith(SharedCluster.class)
class DroppedRecordsIT {

  @ParameterizedTest
  @ValueSource(strings = {"required", "requested"})
  void positionFollowsThoughAllEventsAreDropped(String support, Cluster cluster) {
    try (DroppedRecords dropped = new DroppedRecords(cluster, "dropped." + support, support)) {
      dropped.followsStreamWithoutEvents();
    }
  }

  @Test
  void keptStreamIsWholeBesideDroppedOne(Cluster cluster) {
    try (DroppedRecords dropped = new DroppedRecords(cluster, "half-dropped", "required")) {
      dropped.losesAndRepeatsNothingBesideDroppedStream();
    }
  }

  @Test
  void positionFollowsThoughDeletesAreDropped(Cluster cluster) {
    try (DroppedRecords dropped = new DroppedRecords(cluster, "undeleted", "required")) {
      dropped.followsStreamWhoseDeletesAreDropped();
    }
  }
}
