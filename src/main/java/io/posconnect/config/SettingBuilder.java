package io.posconnect.config;

import io.posconnect.config.Setting.Group;
import io.posconnect.config.Setting.Scope;
import java.time.Duration;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** Puts a {@link Setting} together; the documentation comes last and ends it. */
final class SettingBuilder<T> {

  private final String name;
  private final ConfigDef.Type type;
  private final Check check;
  private final Function<Object, T> reader;
  private @Nullable Object defaultValue;
  private String defaultText = "";
  private boolean literalDefault;
  private Group group = Group.SERVICE;
  private Importance importance = Importance.LOW;
  private String title;
  private Set<Scope> scopes = EnumSet.of(Scope.GENERAL);
  private Set<RetrievalStyle> styles = EnumSet.allOf(RetrievalStyle.class);
  private List<String> dependents = List.of();
  private Advice advice = Advice.NONE;

  private SettingBuilder(
      String name, ConfigDef.Type type, Check check, Function<Object, T> reader) {
    this.name = name;
    this.type = type;
    this.check = check;
    this.reader = reader;
    this.title = name;
  }

  static SettingBuilder<String> text(String name, Check check) {
    return new SettingBuilder<>(name, ConfigDef.Type.STRING, check, String.class::cast);
  }

  static <T> SettingBuilder<T> text(String name, Check check, Function<String, T> reader) {
    return new SettingBuilder<>(
        name, ConfigDef.Type.STRING, check, raw -> reader.apply((String) raw));
  }

  static SettingBuilder<Password> secret(String name) {
    return new SettingBuilder<>(name, ConfigDef.Type.PASSWORD, Check.ANY, Password.class::cast);
  }

  static SettingBuilder<List<String>> list(String name, Check check) {
    return new SettingBuilder<>(
        name,
        ConfigDef.Type.LIST,
        check,
        raw -> ((List<?>) raw).stream().map(String.class::cast).toList());
  }

  static SettingBuilder<Integer> number(String name, Check check) {
    return new SettingBuilder<>(name, ConfigDef.Type.INT, check, Integer.class::cast);
  }

  static SettingBuilder<Long> bytes(String name) {
    return new SettingBuilder<>(name, ConfigDef.Type.LONG, Check.atLeast(1), Long.class::cast);
  }

  /** Milliseconds of at least {@code least}, and of at most a hundred years. */
  static SettingBuilder<Duration> millis(String name, long least) {
    long century = Duration.ofDays(36_525).toMillis();
    return new SettingBuilder<>(
        name,
        ConfigDef.Type.LONG,
        Check.between(least, century),
        raw -> Duration.ofMillis((Long) raw));
  }

  static SettingBuilder<Double> share(String name, Check check) {
    return new SettingBuilder<>(name, ConfigDef.Type.DOUBLE, check, Double.class::cast);
  }

  static SettingBuilder<Boolean> flag(String name) {
    return new SettingBuilder<>(name, ConfigDef.Type.BOOLEAN, Check.ANY, Boolean.class::cast)
        .advised(Advice.of(true, false));
  }

  /** One of an enum's constants, by its own spelling. */
  static <E extends Enum<E>> SettingBuilder<E> choice(
      String name, Class<E> type, Function<E, String> spelling) {
    Map<String, E> constants =
        Arrays.stream(type.getEnumConstants()).collect(Collectors.toMap(spelling, e -> e));
    List<String> spellings =
        Arrays.stream(type.getEnumConstants()).map(spelling).collect(Collectors.toList());
    return text(name, Check.oneOf(spellings), text -> known(constants, text))
        .advised(Advice.of(spellings.toArray()));
  }

  private static <E> E known(Map<String, E> constants, String text) {
    E constant = constants.get(text);
    if (constant == null) {
      throw new IllegalStateException("a choice was not checked");
    }
    return constant;
  }

  SettingBuilder<T> by(Object value) {
    defaultValue = value;
    return shownAs(value instanceof List<?> list ? join(list) : String.valueOf(value));
  }

  /** Describes a default that something else decides, or that reads badly. */
  SettingBuilder<T> byText(String text) {
    defaultText = text;
    literalDefault = false;
    return this;
  }

  /** Shows a default that something else decides. */
  SettingBuilder<T> shownAs(String text) {
    defaultText = text;
    literalDefault = true;
    return this;
  }

  private static String join(List<?> values) {
    return values.stream().map(String::valueOf).collect(Collectors.joining(","));
  }

  SettingBuilder<T> required() {
    defaultValue = ConfigDef.NO_DEFAULT_VALUE;
    defaultText = "required";
    return this;
  }

  SettingBuilder<T> in(Group value, Importance weight, String shownTitle) {
    group = value;
    importance = weight;
    title = shownTitle;
    return this;
  }

  SettingBuilder<T> scopes(Scope first, Scope... more) {
    scopes = EnumSet.of(first, more);
    return this;
  }

  SettingBuilder<T> everywhere() {
    scopes = EnumSet.allOf(Scope.class);
    return this;
  }

  SettingBuilder<T> only(RetrievalStyle first, RetrievalStyle... more) {
    styles = EnumSet.of(first, more);
    return this;
  }

  SettingBuilder<T> dependents(String... names) {
    dependents = List.of(names);
    return this;
  }

  SettingBuilder<T> advised(Advice value) {
    advice = value;
    return this;
  }

  /** Shows it only in company that suits it. */
  SettingBuilder<T> shown(UnaryOperator<Advice> when) {
    advice = when.apply(advice);
    return this;
  }

  Setting<T> doc(String text) {
    return new Setting<>(
        name,
        type,
        defaultValue,
        defaultText,
        literalDefault,
        check,
        reader,
        group,
        importance,
        title,
        Set.copyOf(scopes),
        Set.copyOf(styles),
        dependents,
        advice,
        text);
  }
}
