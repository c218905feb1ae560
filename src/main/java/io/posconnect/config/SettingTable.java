package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.resource.Catalog;
import io.posconnect.resource.Retrieval.Style;
import io.posconnect.resource.Spelled;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;
import org.apache.kafka.common.config.ConfigDef.Importance;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.ValidString;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigDef.Width;
import org.apache.kafka.common.config.types.Password;
import org.jspecify.annotations.Nullable;

/** Collects the settings of one group, in the order in which they are declared. */
final class SettingTable {

  private final String title;
  private final Set<Scope> scopes;
  private final List<Setting<?>> settings = new ArrayList<>();

  /**
   * @param first where its settings may stand, unless a setting has places of its own
   * @param more places
   */
  SettingTable(String title, Scope first, Scope... more) {
    this.title = title;
    this.scopes = EnumSet.of(first, more);
  }

  String title() {
    return title;
  }

  List<Setting<?>> settings() {
    return List.copyOf(settings);
  }

  /** Recommends values, and hides a setting that has no effect beside the others. */
  record Advice(List<Object> offers, Predicate<Map<String, Object>> shown)
      implements ConfigDef.Recommender {

    @Override
    public List<Object> validValues(String name, Map<String, Object> parsedConfig) {
      return offers;
    }

    @Override
    public boolean visible(String name, Map<String, Object> parsedConfig) {
      return shown.test(parsedConfig);
    }
  }

  /** True if another setting has a value. */
  static Predicate<Map<String, Object>> given(String name) {
    return settings -> {
      @Nullable Object value = settings.get(name);
      return value != null && !value.equals(List.of()) && !value.equals("");
    };
  }

  static Predicate<Map<String, Object>> is(String name, String spelling) {
    return settings -> spelling.equals(settings.get(name));
  }

  /**
   * Begins a setting.
   *
   * @param validator is not called for null; null accepts every value
   */
  <T> Builder<T> of(
      String name, ConfigDef.Type type, @Nullable Validator validator, Function<Object, T> reader) {
    return new Builder<>(name, type, validator, reader);
  }

  <T> Builder<T> text(String name, @Nullable Validator validator, Function<String, T> reader) {
    return of(name, ConfigDef.Type.STRING, validator, raw -> reader.apply((String) raw));
  }

  Builder<String> text(String name, @Nullable Validator validator) {
    return text(name, validator, text -> text);
  }

  Builder<Password> secret(String name, @Nullable Validator validator) {
    return of(name, ConfigDef.Type.PASSWORD, validator, Password.class::cast);
  }

  /** Empty by default. */
  Builder<List<String>> list(String name, @Nullable Validator validator) {
    return of(name, ConfigDef.Type.LIST, validator, Validators::strings).defaultsTo(List.of());
  }

  Builder<Integer> number(String name, Range range) {
    return of(name, ConfigDef.Type.INT, range, Integer.class::cast);
  }

  /** Milliseconds of at least {@code least}, and of at most a hundred years. */
  Builder<Duration> millis(String name, long least) {
    return millis(name, least, Duration.ofDays(36_525));
  }

  Builder<Duration> millis(String name, long least, Duration most) {
    Range range = Range.between(least, most.toMillis());
    return of(name, ConfigDef.Type.LONG, range, raw -> Duration.ofMillis((Long) raw));
  }

  Builder<Double> share(String name, Validator validator) {
    return of(name, ConfigDef.Type.DOUBLE, validator, Double.class::cast);
  }

  Builder<Boolean> flag(String name) {
    return of(name, ConfigDef.Type.BOOLEAN, null, Boolean.class::cast).recommending(true, false);
  }

  /** One of an enum's constants. */
  <E extends Enum<E> & Spelled> Builder<E> choice(String name, Class<E> type) {
    List<String> spellings = Stream.of(type.getEnumConstants()).map(Spelled::spelling).toList();
    return choice(name, spellings, text -> Spelled.find(type, text).orElseThrow());
  }

  <T> Builder<T> choice(String name, List<String> spellings, Function<String, T> reader) {
    Builder<T> setting =
        text(name, ValidString.in(spellings.toArray(String[]::new)), reader)
            .recommending(spellings.toArray());
    setting.choices = spellings.stream().collect(Collectors.joining("`, `", " One of `", "`."));
    return setting;
  }

  /** Builds a setting; {@link #doc} comes last and adds it to the table. */
  final class Builder<T> {

    private final String name;
    private final ConfigDef.Type type;
    private final @Nullable Validator validator;
    private final Function<Object, T> reader;
    private @Nullable Object defaultValue;
    private String defaultText = "";
    private String choices = "";
    private Function<Catalog.Entry, Optional<T>> catalog = entry -> Optional.empty();
    private Importance importance = Importance.LOW;
    private String display = "";
    private Set<Scope> scopes = SettingTable.this.scopes;
    private Set<Style> styles = EnumSet.allOf(Style.class);
    private List<String> dependents = List.of();
    private List<Object> offers = List.of();
    private Predicate<Map<String, Object>> shown = all -> true;

    private Builder(
        String name,
        ConfigDef.Type type,
        @Nullable Validator validator,
        Function<Object, T> reader) {
      this.name = name;
      this.type = type;
      this.validator = validator;
      this.reader = reader;
    }

    Builder<T> defaultsTo(@Nullable Object value) {
      defaultValue = value;
      return this;
    }

    /** Describes a default that something else decides, or that is hard to read. */
    Builder<T> defaultText(String text) {
      defaultText = text;
      return this;
    }

    /** Sets a default of the catalog, which precedes the general one. */
    Builder<T> catalogDefault(Function<Catalog.Entry, T> known) {
      catalog = entry -> Optional.of(known.apply(entry));
      return this;
    }

    Builder<T> named(Importance value, String shownName) {
      importance = value;
      display = shownName;
      return this;
    }

    /** Allows it in these scopes, and in no other. */
    Builder<T> in(Scope first, Scope... more) {
      scopes = EnumSet.of(first, more);
      return this;
    }

    Builder<T> usedBy(Style first, Style... more) {
      return usedBy(EnumSet.of(first, more)::contains);
    }

    Builder<T> usedBy(Predicate<Style> uses) {
      styles = Stream.of(Style.values()).filter(uses).collect(Collectors.toSet());
      return this;
    }

    Builder<T> dependents(String... names) {
      dependents = List.of(names);
      return this;
    }

    Builder<T> recommending(Object... values) {
      offers = Stream.of(values).toList();
      return this;
    }

    Builder<T> visibleIf(Predicate<Map<String, Object>> when) {
      shown = when;
      return this;
    }

    Setting<T> doc(String text) {
      Width width =
          switch (type) {
            case BOOLEAN, INT, SHORT, LONG, DOUBLE -> Width.SHORT;
            case PASSWORD, CLASS -> Width.MEDIUM;
            case STRING, LIST -> Width.LONG;
          };
      ConfigKey key =
          new ConfigKey(
              name,
              type,
              defaultValue,
              validator == null ? null : Validators.unlessNull(validator),
              importance,
              text + choices,
              title,
              settings.size() + 1,
              width,
              display,
              dependents,
              new Advice(offers, shown),
              false);
      Setting<T> setting =
          new Setting<>(key, defaultText, reader, catalog, Set.copyOf(scopes), Set.copyOf(styles));
      settings.add(setting);
      return setting;
    }
  }
}
