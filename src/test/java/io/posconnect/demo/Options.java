package io.posconnect.demo;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How the quick start was called.
 *
 * @param limit when it ends by itself
 * @param colour whether operations are coloured
 */
record Options(Optional<Duration> limit, boolean colour, boolean help) {

  static final String HELP =
      """
      Starts a Kafka broker, a schema registry, a Connect worker with this connector and a simulated store,
      and prints every change at the store as it arrives on its topic. All of it on the loopback interface.

        --for TIME   end after TIME, such as 60s or 5m; fails when no change came until then
        --colour     colour the operations
        --help       print this and end

      Ctrl-C ends everything; so does closing the standard input, unless it was closed from the start.
      """;

  private static final Pattern TIME = Pattern.compile("(\\d{1,6})([smh])");

  /** An {@link IllegalArgumentException} with a sentence for the user when they make no sense. */
  static Options parse(List<String> arguments) {
    Options options = new Options(Optional.empty(), false, false);
    for (int i = 0; i < arguments.size(); i++) {
      String argument = arguments.get(i);
      switch (argument) {
        case "--for" -> {
          i++;
          options = options.withLimit(time(i < arguments.size() ? arguments.get(i) : ""));
        }
        case "--colour" -> options = new Options(options.limit, true, options.help);
        case "--help" -> options = new Options(options.limit, options.colour, true);
        default ->
            throw new IllegalArgumentException("no such option: " + argument + "; see --help");
      }
    }
    return options;
  }

  private Options withLimit(Duration value) {
    return new Options(Optional.of(value), colour, help);
  }

  private static Duration time(String text) {
    Matcher matcher = TIME.matcher(text);
    if (!matcher.matches()) {
      throw new IllegalArgumentException(
          "--for wants a time such as 60s or 5m, not \"" + text + "\"");
    }
    long count = Long.parseLong(matcher.group(1));
    return switch (matcher.group(2)) {
      case "s" -> Duration.ofSeconds(count);
      case "m" -> Duration.ofMinutes(count);
      default -> Duration.ofHours(count);
    };
  }
}
