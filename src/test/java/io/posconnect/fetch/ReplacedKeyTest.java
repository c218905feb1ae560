package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.client.SharedRateLimits;
import io.posconnect.client.Transports;
import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.location.LocationClient;
import java.util.Map;
import org.apache.kafka.common.metrics.PluginMetrics;
import org.apache.kafka.common.utils.MockTime;
import org.apache.kafka.connect.source.SourceTaskContext;
import org.apache.kafka.connect.storage.OffsetStorageReader;
import org.junit.jupiter.api.Test;

/** A location's key is replaced while one of its streams asks who the location is. */
class ReplacedKeyTest {

  private static final Row STORE = Row.parse("{\"locationId\":\"of the key before\"}");

  private final Props props = Props.one();
  private Runnable atClock = () -> {};

  private final MockTime time =
      new MockTime() {
        @Override
        public long nanoseconds() {
          atClock.run();
          return super.nanoseconds();
        }
      };

  private LocationClient location() {
    SourceConfig config = props.config();
    SourceTaskContext context =
        new SourceTaskContext() {
          @Override
          public Map<String, String> configs() {
            return props.map();
          }

          @Override
          public OffsetStorageReader offsetStorageReader() {
            throw new UnsupportedOperationException();
          }

          @Override
          public PluginMetrics pluginMetrics() {
            throw new UnsupportedOperationException();
          }
        };
    return new LocationClient(
        "default",
        new LocationClient.Task(config, context, time, new SharedRateLimits(), new Transports()));
  }

  @Test
  void answerToKeyBeforeIsNotTakenForOneToTheNewKey() {
    try (LocationClient location = location()) {
      long sent = time.nanoseconds();
      LocationIdentity identity = location.identity();
      props.with("api.key", "new");
      atClock = () -> identity.answered(STORE, sent, identity.version());
      assertThat(location.renewCredentials(sent)).isTrue();
      atClock = () -> {};
      assertThat(identity.current(sent)).isEmpty();
      identity.answered(STORE, sent, identity.version());
      assertThat(identity.current(sent)).as("the answer to the new key").isPresent();
    }
  }
}
