package io.posconnect.config;

import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.apache.kafka.common.config.ConfigDef;

/**
 * What a user interface offers for a setting, and whether it shows the setting at all.
 *
 * @param values to offer; none when anything goes
 * @param shown decides from the other settings, some of which may be missing or null
 */
record Advice(List<Object> values, Predicate<Map<String, Object>> shown)
    implements ConfigDef.Recommender {

  static final Advice NONE = new Advice(List.of(), settings -> true);

  static Advice of(Object... values) {
    return new Advice(List.of(values), settings -> true);
  }

  /** The same values, but only when {@code setting} is spelled as one of {@code spellings}. */
  Advice when(String setting, String... spellings) {
    List<String> accepted = List.of(spellings);
    return new Advice(
        values, settings -> accepted.contains(String.valueOf(settings.get(setting)).trim()));
  }

  /** The same values, but only when {@code setting} has a value. */
  Advice whenGiven(String setting) {
    return new Advice(values, settings -> given(settings, setting));
  }

  /** The same values, but only when {@code setting} has no value. */
  Advice unlessGiven(String setting) {
    return new Advice(values, settings -> !given(settings, setting));
  }

  /** The same values, always shown. */
  Advice always() {
    return new Advice(values, settings -> true);
  }

  private static boolean given(Map<String, Object> settings, String setting) {
    Object value = settings.get(setting);
    return value != null && !value.equals(List.of()) && !value.equals("");
  }

  @Override
  public List<Object> validValues(String name, Map<String, Object> parsedConfig) {
    return values;
  }

  @Override
  public boolean visible(String name, Map<String, Object> parsedConfig) {
    return shown.test(parsedConfig);
  }
}
