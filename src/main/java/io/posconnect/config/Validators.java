package io.posconnect.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.time.DateTimeException;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.kafka.common.config.ConfigDef.CompositeValidator;
import org.apache.kafka.common.config.ConfigDef.LambdaValidator;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigException;

/** Validates what Kafka's own validators do not know: names, addresses, paths and schemas. */
final class Validators {

  /** What a resource may be called. */
  static final Pattern RESOURCE_NAME = Pattern.compile("[a-z0-9][a-z0-9-]*");

  /** What a location may be called. */
  static final Pattern LOCATION_NAME = Pattern.compile("[a-z0-9][a-z0-9_-]*");

  private static final Pattern TOPIC_NAME = Pattern.compile("[a-zA-Z0-9._-]+");

  /** Segments as they may stand in a URL, none of them empty or made of dots that climb. */
  private static final Pattern PATH_TEXT =
      Pattern.compile(
          "(/(?!(\\.|%2[Ee]){1,2}(/|$))([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)+/?");

  static final Validator LOCATION =
      text(
          "lower-case letters, digits, - and _, and begin with a letter or digit",
          text -> LOCATION_NAME.matcher(text).matches());

  static final Validator LOCATIONS = names(LOCATION_NAME, "lower-case letters, digits, - and _");

  static final Validator RESOURCES =
      CompositeValidator.of(
          list("at least one name", names -> !names.isEmpty()),
          names(RESOURCE_NAME, "lower-case letters, digits and -"));

  static final Validator KEY_FIELDS =
      list(
          "names of fields, each once, or alternatives such as a|b",
          fields -> distinct(fields) && fields.stream().allMatch(Validators::alternatives));

  static final Validator FIELDS =
      list(
          "names of fields, each once",
          fields -> distinct(fields) && fields.stream().noneMatch(String::isBlank));

  static final Validator BASE_URL =
      secretText(
          "an absolute http or https address without user, query and fragment,"
              + " such as https://api.example.com/v1",
          Validators::httpUrl);

  static final Validator PROXY_URL =
      secretText(
          "the http address of a proxy without user and path, such as"
              + " http://proxy.example.com:3128",
          text -> httpUrl(text) && proxy(URI.create(text)));

  static final Validator PATH =
      text(
          "a path that begins with a slash and has no query, such as /reporting/inventory",
          text -> PATH_TEXT.matcher(text).matches());

  static final Validator PARAMETER =
      text("the name of a query parameter", text -> text.matches("[A-Za-z0-9._~$-]+"));

  /** The connector counts snapshots of one id behind that sign. */
  static final Validator SNAPSHOT_ID = text("text without #", text -> text.indexOf('#') < 0);

  static final String AVRO_DEMAND = "an Avro schema of type record";

  static final Validator AVRO = secretText(AVRO_DEMAND, Validators::avroRecord);

  static final String TOPIC_DEMAND =
      "the name of a topic: letters, digits, dots, - and _, at most 249 of them";

  static final Validator TOPIC = text(TOPIC_DEMAND, Validators::topicName);

  static final Validator TOPIC_PREFIX =
      text(
          "letters, digits, dots, - and _, and not begin or end with a dot",
          text ->
              TOPIC_NAME.matcher(text).matches() && !text.startsWith(".") && !text.endsWith("."));

  static final Validator TOPIC_TEMPLATE =
      text(
          "a name that holds {resource}, and may hold {prefix} and {location}",
          text ->
              text.contains("{resource}")
                  && topicName(text.replaceAll("\\{(prefix|location|resource)}", "x")));

  static final Validator START =
      text(
          "earliest, now, or an instant such as 2024-01-31T00:00:00Z",
          text -> {
            try {
              return ReadingSettings.instant(text).getEpochSecond() >= 0;
            } catch (DateTimeException e) {
              return false;
            }
          });

  static final Validator USER_AGENT =
      text("printable ASCII", text -> text.matches("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?"));

  static final Validator STORE_TYPE =
      text(
          "PEM, or a type of key store that this JVM knows, such as PKCS12", Validators::storeType);

  static final Validator SHARE = Range.between(0, 1);

  /** More than nothing, at most everything. */
  static final Validator POSITIVE_SHARE =
      CompositeValidator.of(
          SHARE, shown("more than 0", value -> ((Number) value).doubleValue() > 0));

  private Validators() {}

  /** The same validator for a setting that may have no value. */
  static Validator unlessNull(Validator validator) {
    return LambdaValidator.with(
        (name, value) -> {
          if (value != null) {
            validator.ensureValid(name, value);
          }
        },
        validator::toString);
  }

  static boolean topicName(String name) {
    return TOPIC_NAME.matcher(name).matches()
        && name.length() <= 249
        && !name.equals(".")
        && !name.equals("..");
  }

  static boolean avroRecord(String text) {
    try {
      return new Schema.Parser().parse(text).getType() == Schema.Type.RECORD;
    } catch (AvroRuntimeException e) {
      return false;
    }
  }

  private static Validator text(String demand, Predicate<String> test) {
    return shown(demand, value -> test.test((String) value));
  }

  private static Validator list(String demand, Predicate<List<String>> test) {
    return shown(
        demand, value -> test.test(((List<?>) value).stream().map(String.class::cast).toList()));
  }

  private static Validator names(Pattern name, String letters) {
    return list(
        "names, each once, of " + letters,
        names -> distinct(names) && names.stream().allMatch(n -> name.matcher(n).matches()));
  }

  private static Validator shown(String demand, Predicate<Object> test) {
    return LambdaValidator.with(
        (name, value) -> {
          if (!test.test(value)) {
            throw new ConfigException(name, value, "must be " + demand);
          }
        },
        () -> demand);
  }

  /** Does not repeat the value, which may hold a secret or be long. */
  private static Validator secretText(String demand, Predicate<String> test) {
    return LambdaValidator.with(
        (name, value) -> {
          if (!test.test((String) value)) {
            throw new ConfigException("must be " + demand);
          }
        },
        () -> demand);
  }

  private static boolean distinct(List<String> names) {
    return new HashSet<>(names).size() == names.size();
  }

  private static boolean alternatives(String field) {
    return List.of(field.split("\\|", -1)).stream().noneMatch(String::isBlank);
  }

  private static boolean httpUrl(String text) {
    try {
      URI uri = new URI(text);
      return ("https".equalsIgnoreCase(uri.getScheme()) || "http".equalsIgnoreCase(uri.getScheme()))
          && uri.getHost() != null
          && uri.getRawUserInfo() == null
          && uri.getRawQuery() == null
          && uri.getRawFragment() == null;
    } catch (URISyntaxException e) {
      return false;
    }
  }

  private static boolean proxy(URI uri) {
    return "http".equalsIgnoreCase(uri.getScheme())
        && (uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"));
  }

  private static boolean storeType(String type) {
    try {
      return type.equals("PEM") || KeyStore.getInstance(type) != null;
    } catch (KeyStoreException e) {
      return false;
    }
  }
}
