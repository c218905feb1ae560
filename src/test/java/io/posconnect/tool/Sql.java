package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.record.Destination.EventFormat;
import java.nio.file.Path;
import java.util.Map;
import java.util.stream.Stream;

/** The tables that the tool prints for all resources. */
final class Sql {

  private Sql() {}

  static Path config(Path folder) {
    Map<String, String> settings = Run.settings("https://service.invalid", "${env:KEY}");
    settings.put("resources.loyalty-transactions.path", "/loyalty");
    return Run.file(folder, settings);
  }

  static String of(Path folder, EventFormat format, String... options) {
    Object[] all =
        Stream.concat(Stream.of(options), Stream.of("--set", "event.format=" + format.spelling()))
            .toArray();
    Run run = Run.of("schemas", config(folder), all).ending(0);
    assertThat(run.err()).isEmpty();
    return run.out();
  }
}
