package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.config.Props;
import io.posconnect.hostile.Answer;
import io.posconnect.hostile.Call;
import io.posconnect.hostile.HostileService;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Every request has the configured headers, and no value of one is anywhere else. */
class RequestHeadersTest {

  private static final int HEADERS = 106;
  private static final String MARK = "sown4711-";

  private final AtomicInteger requests = new AtomicInteger();
  @AutoClose private final HostileService service = HostileService.start(this::echo);
  @AutoClose private final TaskLog log = TaskLog.listenToEverything();

  /** Repeats what it was sent in every place but the rows, and answers with rows in between. */
  private Answer echo(Call call) {
    if (call.path().equals("/whoami")) {
      return Answer.json("{\"locationName\":\"Main\",\"lspName\":\"Shop\"}");
    }
    String headers = call.headers().toString();
    int number = requests.getAndIncrement();
    String value = call.header("x-planted-" + number % HEADERS);
    return switch (number % 7) {
      case 1 -> Answer.json("500 No", "{\"TraceId\":\"" + value + "\"}");
      case 2 -> Answer.json("429 Slow", "{\"Message\":\"" + headers + "\"}");
      case 3 -> Answer.respond("200 OK", "Content-Type: text/" + value + "\r\n", headers);
      case 4 ->
          Answer.respond(
              "302 Found", "Location: https://" + value + ".example.com/" + value + "\r\n", "");
      case 5 -> Answer.json("{\"" + value + "\":\"" + headers);
      case 6 -> Answer.respond("400 " + value, "Content-Type: " + value + "\r\n", headers);
      default -> Answer.json("[{\"id\":" + number + "}]");
    };
  }

  private Props settings() {
    Props props =
        Props.hasty(service.baseUrl(), "people")
            .with("resources.people.path", "/people")
            .with("resources.people.retrieval", "full")
            .with("resources.people.key.fields", "id");
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
      task.until("each is repeated", () -> requests.get() > 2 * HEADERS);
      for (String topic : List.of("pos.people", "pos.status", "pos.checkpoints")) {
        records.addAll(task.records(topic));
      }
    }

    assertThat(records).isNotEmpty();
    assertThat(task.failure()).isNull();
    assertThat(service.calls())
        .map(Call::headers)
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
