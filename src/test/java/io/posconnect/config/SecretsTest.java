package io.posconnect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.io.StringWriter;
import java.util.List;
import org.apache.kafka.common.config.ConfigValue;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.WriterAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.layout.PatternLayout;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

final class SecretsTest {

  private static final String SECRET = "s3cr3t-Ee7";

  private final StringWriter log = new StringWriter();
  private final WriterAppender appender =
      WriterAppender.newBuilder()
          .setName("secrets")
          .setTarget(log)
          .setLayout(PatternLayout.createDefaultLayout())
          .build();
  private final Logger root = (Logger) LogManager.getRootLogger();
  private Level before;

  @BeforeEach
  void listen() {
    before = root.getLevel();
    appender.start();
    root.addAppender(appender);
    Configurator.setRootLevel(Level.ALL);
  }

  @AfterEach
  void stopListening() {
    root.removeAppender(appender);
    Configurator.setRootLevel(before);
    appender.stop();
  }

  private static Props everySecret() {
    return Props.several("a", "b")
        .with("locations.a.api.key", SECRET)
        .with("locations.a.api.password", SECRET)
        .with("api.key", SECRET)
        .with("api.password", SECRET);
  }

  @Test
  void logsNoSecret() {
    SourceConfig config = SourceConfig.started(everySecret().map());
    config.logUnused();

    assertThat(log.toString())
        .contains("locations.a.api.key = [hidden]")
        .contains("api.password = [hidden]")
        .doesNotContain(SECRET);
  }

  @Test
  void showsNoSecretInValues() {
    SourceConfig config = everySecret().config();

    assertThat(config.credentials("a").toString() + config.connection("a")).doesNotContain(SECRET);
    assertThat(config.values().toString()).doesNotContain(SECRET);
  }

  @Test
  void showsNoSecretInRefusal() {
    Props props =
        everySecret()
            .with("locations.b.api.key", SECRET)
            .with("locations.c.api.key", SECRET)
            .with("ssl.truststore.password", SECRET)
            .with("base.url", "http://example.com")
            .with("resources.products.start.from", "now");
    Props misnamed =
        everySecret()
            .with("locations.a.apikey", SECRET)
            .with("locations.A.api.key", SECRET)
            .with("resources.a.api.key", SECRET);

    for (Props faulty : List.of(props, misnamed)) {
      assertThat(catchThrowable(faulty::config)).isNotNull().message().doesNotContain(SECRET);
      assertThat(
              SourceConfig.validate(faulty.map(), config -> List.of(), config -> List.of())
                  .configValues())
          .allSatisfy(value -> assertThat(shown(value)).doesNotContain(SECRET));
    }
    assertThat(log.toString()).doesNotContain(SECRET);
  }

  private static String shown(ConfigValue value) {
    return value.name() + value.value() + value.errorMessages();
  }
}
