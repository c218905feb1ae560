package io.posconnect;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.client.SharedRateLimits;
import io.posconnect.config.SourceConfig;
import io.posconnect.simulator.Simulator;
import io.posconnect.task.RunningTask;
import io.posconnect.task.TaskFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.common.utils.Time;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * Connect checks {@code exactly.once.support=required} when a configuration is posted to a
 * distributed worker, and at no other time.
 */
class DeliveryGuaranteeTest {

  private final Simulator service = Simulator.builder().unlimited().start();
  private RunningTask task;

  @AfterEach
  void close() {
    task.close();
    service.close();
  }

  /** A record that this thread has polled. */
  private SourceRecord polled(String support) throws InterruptedException {
    service.location().table("products").generate(1);
    PosSourceConnector connector = new PosSourceConnector();
    connector.start(
        DrivenTask.props(service, "products").with("exactly.once.support", support).map());
    Map<String, String> settings = connector.taskConfigs(1).get(0);
    task =
        new TaskFactory(
                SourceConfig.checked(settings),
                TaskContext.of(() -> settings, Map.of()),
                Time.SYSTEM,
                new SharedRateLimits())
            .start();
    List<SourceRecord> records = new ArrayList<>();
    while (records.isEmpty()) {
      records.addAll(task.poll());
    }
    return records.get(0);
  }

  /** As under at-least-once: by the producer's thread. */
  private void acknowledgeElsewhere(SourceRecord record, boolean written)
      throws InterruptedException {
    Thread producer = new Thread(() -> task.acknowledged(record, written), "producer");
    producer.start();
    producer.join();
  }

  @Test
  void failsOnAWorkerThatDoesNotDeliverExactlyOnceThoughItIsRequired() throws InterruptedException {
    acknowledgeElsewhere(polled("required"), true);

    assertThatThrownBy(() -> task.poll())
        .isInstanceOf(ConnectException.class)
        .hasMessageStartingWith("POS-706")
        .hasMessageContaining("exactly.once.source.support=enabled");
  }

  @Test
  void goesOnWhereItIsNotRequired() throws InterruptedException {
    acknowledgeElsewhere(polled("requested"), true);

    assertThatCode(() -> task.poll()).doesNotThrowAnyException();
  }

  @Test
  void goesOnWhereTheThreadThatPolledAcknowledges() throws InterruptedException {
    SourceRecord record = polled("required");
    task.acknowledged(record, true);

    assertThatCode(() -> task.poll()).doesNotThrowAnyException();
  }
}
