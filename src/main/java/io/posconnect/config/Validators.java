package io.posconnect.config;

import io.posconnect.record.FieldList;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.ServiceAddress;
import java.net.URI;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.KeyStoreException;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
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

  private static final int LONGEST_NAME = 100;
  private static final int LONGEST_PATH = 1_000;
  private static final int LONGEST_HEADER = 200;
  private static final int LONGEST_SCHEMA = 1 << 20;
  private static final double LEAST_SHARE = 0.001;

  private static final Pattern TOPIC_NAME = Pattern.compile("[a-zA-Z0-9._-]+");

  /** A location's name stands in every key and offset. */
  static final Validator LOCATION =
      text(
          "lower-case letters, digits, - and _, and begin with a letter or digit",
          text -> isName(LOCATION_NAME, text));

  static final Validator LOCATIONS = names(LOCATION_NAME, "lower-case letters, digits, - and _");

  static final Validator RESOURCES =
      CompositeValidator.of(
          list("at least one name", names -> !names.isEmpty()),
          names(RESOURCE_NAME, "lower-case letters, digits and -"));

  static final Validator KEY_FIELDS =
      list(
          "names of fields, each once, or alternatives such as a|b; a? for one that may be null",
          fields -> distinct(fields) && fields.stream().allMatch(Validators::isKeyField));

  static final Validator FIELDS =
      list(
          "names of fields, each once",
          fields -> distinct(fields) && fields.stream().noneMatch(String::isBlank));

  static final Validator FIELD_PATHS =
      list(
          "names of fields, each once, such as email or customer.email, without *",
          paths -> distinct(paths) && paths.stream().allMatch(Validators::isFieldPath));

  static final Validator TYPED_FIELDS =
      list(
          FieldList.demand(),
          fields -> distinct(fields) && fields.stream().allMatch(FieldList::isField));

  static final Validator BASE_URL =
      secretText(
          "an absolute http or https address without user, query and fragment,"
              + " such as https://api.example.com/v1",
          ServiceAddress::isUrl);

  static final Validator PROXY_URL =
      secretText(
          "the http address of a proxy without user and path, such as"
              + " http://proxy.example.com:3128",
          text -> ServiceAddress.isUrl(text) && proxy(URI.create(text)));

  static final Validator PATH =
      text(
          "a path that begins with a slash and has no query, such as /reporting/inventory",
          ServiceAddress::isPath);

  static final Validator PARAMETER =
      text(
          "the name of a query parameter",
          text -> isName(Pattern.compile("[A-Za-z0-9._~$-]+"), text));

  /** It stands in offsets, and the connector counts snapshots of one id behind that sign. */
  static final Validator SNAPSHOT_ID =
      text(
          "text without # and control characters, at most 100 of them",
          text -> text.length() <= LONGEST_NAME && text.matches("[^#\\p{Cntrl}]*"));

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

  static final Validator NAMESPACE =
      text(
          "an Avro namespace, such as com.example.pos",
          text ->
              text.length() <= LONGEST_NAME
                  && text.matches("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*"));

  static final Validator TOPIC_TEMPLATE =
      text(
          "a name that holds {resource}, and may hold {prefix} and {location}",
          text ->
              text.contains("{resource}")
                  && topicName(text.replaceAll("\\{(prefix|location|resource)}", "x")));

  static final Validator START =
      text("earliest, now, or a past instant such as 2024-01-31T00:00:00Z", Validators::isStart);

  static final Validator USER_AGENT =
      text(
          "printable ASCII",
          text ->
              text.length() <= LONGEST_HEADER
                  && text.matches("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?"));

  /** Where something is on a worker; whether it is there is another question. */
  static final Validator FILE = text("the name of a file", Validators::isFileName);

  static final Validator STORE_TYPE =
      text(
          "PEM, or a type of key store that this JVM knows, such as PKCS12", Validators::storeType);

  private static final Validator NUMBER =
      shown("a number", value -> !Double.isNaN(((Number) value).doubleValue()));

  static final Validator SHARE = CompositeValidator.of(NUMBER, Range.between(0, 1));

  /** Of the rate: less would be a wait of days, or of longer than can be counted. */
  static final Validator POSITIVE_SHARE =
      CompositeValidator.of(NUMBER, Range.between(LEAST_SHARE, 1));

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

  /** The parser meets what it does not expect with whatever exception comes of it. */
  static boolean avroRecord(String text) {
    try {
      return text.length() <= LONGEST_SCHEMA
          && new Schema.Parser().parse(text).getType() == Schema.Type.RECORD;
    } catch (RuntimeException | StackOverflowError e) {
      return false;
    }
  }

  private static boolean isStart(String text) {
    try {
      Instant start = ReadingSettings.instant(text);
      return start.equals(Instant.MAX)
          || (start.getEpochSecond() >= 0 && !start.isAfter(Instant.now()));
    } catch (DateTimeException e) {
      return false;
    }
  }

  private static boolean isFileName(String text) {
    try {
      return !Path.of(text).toString().isEmpty();
    } catch (InvalidPathException e) {
      return false;
    }
  }

  private static boolean isName(Pattern name, String text) {
    return text.length() <= LONGEST_NAME && name.matcher(text).matches();
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
        names -> distinct(names) && names.stream().allMatch(n -> isName(name, n)));
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

  private static boolean isKeyField(String field) {
    return field.length() <= LONGEST_NAME
        && KeyPart.of(field).names().stream().noneMatch(String::isBlank);
  }

  private static boolean isFieldPath(String path) {
    return path.length() <= LONGEST_PATH
        && path.indexOf('*') < 0
        && Arrays.stream(path.split("\\.", -1)).noneMatch(String::isBlank);
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
