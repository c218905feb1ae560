package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.posconnect.client.ApiException.Refused;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.client.Transports;
import io.posconnect.config.Props;
import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Call;
import io.posconnect.hostile.Certificates;
import io.posconnect.hostile.HostileService;
import io.posconnect.json.Row;
import io.posconnect.location.LocationClient;
import io.posconnect.location.ResolvedConfig;
import io.posconnect.resource.Reading;
import io.posconnect.resource.Stream;
import io.posconnect.resource.Window;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import okhttp3.Credentials;
import org.apache.kafka.common.utils.MockTime;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A location's key is replaced while one of its streams has a request under way. */
class ReplacedKeyTest {

  private static final Row STORE = Row.parse("{\"locationId\":\"of the key before\"}");

  private static final Stream PRODUCTS = new Stream("default", "products");
  private static final String OLD_KEY = Credentials.basic("key-of-default", "");

  private final Props props = Props.one();
  private Runnable atClock = () -> {};
  private Runnable atResolution = () -> {};
  private long crossedNanos;
  private int resolutions;

  private final MockTime time =
      new MockTime() {
        @Override
        public long nanoseconds() {
          long now = super.nanoseconds();
          atClock.run();
          return now;
        }
      };

  private LocationClient location() {
    return new LocationClient("default", task(props));
  }

  private LocationClient.Task task(Props given) {
    ResolvedConfig resolved =
        new ResolvedConfig(
            () -> {
              resolutions++;
              atResolution.run();
              return given.map();
            },
            time);
    return new LocationClient.Task(
        given.config(), resolved, time, new SharedRateLimits(), new Transports());
  }

  /** The providers are asked for the keys of all locations each time. */
  @Test
  void locationsWhoseKeysAreRefusedTogetherResolveTheConfigurationOnce() {
    Props several = Props.several("a", "b");
    LocationClient.Task task = task(several);
    try (LocationClient a = new LocationClient("a", task);
        LocationClient b = new LocationClient("b", task)) {
      long sent = time.nanoseconds();
      time.sleep(1);
      several.with("locations.b.api.key", "new");
      assertThat(a.renewCredentials(sent)).isFalse();
      assertThat(b.renewCredentials(sent)).isTrue();
      assertThat(resolutions).isEqualTo(1);

      several.with("locations.a.api.key", "later");
      assertThat(a.renewCredentials(time.nanoseconds())).as("sent after it began").isTrue();
      assertThat(resolutions).isEqualTo(2);
    }
  }

  @Test
  void streamsThatAreRefusedTogetherWaitTogetherForASlowProvider() throws Exception {
    CountDownLatch answers = new CountDownLatch(1);
    atResolution = () -> assertThatCode(answers::await).doesNotThrowAnyException();
    try (LocationClient location = location()) {
      long sent = time.nanoseconds();
      time.sleep(1);
      props.with("api.key", "new");
      List<FutureTask<Boolean>> streams = new ArrayList<>();
      for (int stream = 0; stream < 2; stream++) {
        FutureTask<Boolean> renewal = new FutureTask<>(() -> location.renewCredentials(sent));
        Thread thread = new Thread(renewal);
        thread.start();
        await().until(() -> thread.getState() == Thread.State.TIMED_WAITING);
        streams.add(renewal);
      }
      answers.countDown();
      for (FutureTask<Boolean> each : streams) {
        assertThat(each.get()).isTrue();
      }
      assertThat(resolutions).isEqualTo(1);
    }
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

  /** What else is wrong with the configuration by now does not keep the new key out. */
  @Test
  void keyIsReplacedThoughAFileOfTheConfigurationIsGone(@TempDir Path folder) throws IOException {
    Path certificates = folder.resolve("trust.pem");
    Files.writeString(certificates, Certificates.held("service").certificatePem());
    props
        .with("ssl.truststore.type", "PEM")
        .with("ssl.truststore.location", certificates.toString());
    try (LocationClient location = location()) {
      Files.delete(certificates);
      props.with("api.key", "new");
      assertThat(location.renewCredentials(time.nanoseconds())).isTrue();
    }
  }

  @Test
  void requestThatCrossesWithTheNewKeyIsNoRefusalOfIt() {
    try (HostileService service = HostileService.always(Answer.json("401 No", ""))) {
      props.with("base.url", service.baseUrl().toString());
      try (LocationClient location = location()) {
        long before = time.nanoseconds();
        props.with("api.key", "new");
        atClock = () -> atClock = () -> request(location); // behind the key's resolution
        assertThat(location.renewCredentials(before)).isTrue();
        assertThat(service.calls()).map(Call::head).first().asString().contains(OLD_KEY);
        assertThat(location.renewCredentials(crossedNanos)).isTrue();
      }
    }
  }

  private void request(LocationClient location) {
    atClock = () -> {};
    time.sleep(1);
    crossedNanos = time.nanoseconds();
    Reading reading = new Reading(props.config().resource(PRODUCTS), Window.ALL);
    assertThatThrownBy(() -> location.client(reading).open(reading, () -> {}))
        .isInstanceOf(Refused.class);
    time.sleep(1);
  }
}
