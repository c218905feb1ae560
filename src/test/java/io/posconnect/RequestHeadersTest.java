package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.config.Props;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import mockwebserver3.Dispatcher;
import mockwebserver3.MockResponse;
import mockwebserver3.MockWebServer;
import mockwebserver3.RecordedRequest;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Every request has the configured headers, and no value of one is anywhere else. */
class RequestHeadersTest {

  private static final int HEADERS = 106;
  private static final String MARK = "sown4711-";

  private final MockWebServer service = new MockWebServer();
  private final Echo echo = new Echo();
  private final TaskLog log = TaskLog.listenToEverything();

  @BeforeEach
  void start() throws IOException {
    service.setDispatcher(echo);
    service.start();
  }

  @AfterEach
  void close() {
    service.close();
    log.close();
  }

  /** Repeats what it was sent in every place but the rows, and answers with rows in between. */
  private static final class Echo extends Dispatcher {

    private final AtomicInteger requests = new AtomicInteger();
    private final List<Map<String, String>> received = new ArrayList<>();

    @Override
    public MockResponse dispatch(RecordedRequest request) {
      Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
      request.getHeaders().forEach(pair -> headers.put(pair.getFirst(), pair.getSecond()));
      synchronized (received) {
        received.add(headers);
      }
      if (request.getUrl().encodedPath().equals("/whoami")) {
        return answer(200, "application/json", "{\"locationName\":\"Main\",\"lspName\":\"Shop\"}");
      }
      int number = requests.getAndIncrement();
      String value = headers.get("x-planted-" + number % HEADERS);
      return switch (number % 7) {
        case 1 -> answer(500, "application/json", "{\"TraceId\":\"" + value + "\"}");
        case 2 -> answer(429, "application/json", "{\"Message\":\"" + headers + "\"}");
        case 3 -> answer(200, "text/" + value, headers.toString());
        case 4 ->
            answer(302, "text/plain", "")
                .newBuilder()
                .setHeader("Location", "https://" + value + ".example.com/" + value)
                .build();
        case 5 -> answer(200, "application/json", "{\"" + value + "\":\"" + headers);
        case 6 -> answer(400, value, headers.toString());
        default -> answer(200, "application/json", "[{\"id\":" + number + "}]");
      };
    }

    private static MockResponse answer(int status, String type, String body) {
      return new MockResponse.Builder()
          .code(status)
          .addHeader("Content-Type", type)
          .body(body)
          .build();
    }

    List<Map<String, String>> received() {
      synchronized (received) {
        return List.copyOf(received);
      }
    }
  }

  private Props settings() {
    Props props =
        Props.one()
            .with("base.url", "http://127.0.0.1:" + service.getPort())
            .with("exactly.once.support", "required")
            .with("resources", "people")
            .with("resources.people.path", "/people")
            .with("resources.people.retrieval", "full")
            .with("resources.people.key.fields", "id")
            .with("resources.people.requests.per.minute", "60000")
            .with("resources.locations.requests.per.minute", "60000")
            .with("poll.interval.ms", "1")
            .with("retry.backoff.ms", "1")
            .with("retry.backoff.max.ms", "1")
            .with("checkpoint.interval.ms", "0");
    for (int i = 0; i < HEADERS; i++) {
      props.with("request.headers.X-Planted-" + i, MARK + i + "-");
    }
    return props;
  }

  @Test
  void valuesAreNowhereHoweverServiceRepeatsThem() {
    List<SourceRecord> records = new ArrayList<>();
    DrivenTask task = DrivenTask.start(settings().map());
    try (task) {
      task.until("each is repeated", () -> echo.requests.get() > 2 * HEADERS);
      for (String topic : List.of("pos.people", "pos.status", "pos.checkpoints")) {
        records.addAll(task.records(topic));
      }
    }

    assertThat(records).isNotEmpty();
    assertThat(task.failure()).isNull();
    assertThat(echo.received())
        .allSatisfy(
            headers ->
                assertThat(headers)
                    .containsEntry("X-Planted-0", MARK + "0-")
                    .containsEntry("X-Planted-105", MARK + "105-"));
    assertThat(log.text()).contains("POS-4").doesNotContain(MARK);
    assertThat(records.toString() + task.offsets()).doesNotContain(MARK);
    Map<String, String> settings =
        settings().with("request.headers.X-Broken", MARK + "\u00e9").map();
    List<ConfigValue> validated = new PosSourceConnector().validate(settings).configValues();
    assertThat(
            validated.stream().map(value -> value.errorMessages().toString()).toList().toString())
        .contains("POS-101 request.headers.X-Broken: must be printable ASCII")
        .doesNotContain(MARK);
    assertThat(validated.toString().toLowerCase(Locale.ROOT)).doesNotContain(MARK);
  }
}
