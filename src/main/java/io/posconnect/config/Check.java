package io.posconnect.config;

import java.net.URI;
import java.net.URISyntaxException;
import java.time.format.DateTimeParseException;
import java.util.HashSet;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.apache.avro.AvroRuntimeException;
import org.apache.avro.Schema;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigException;
import org.jspecify.annotations.Nullable;

/**
 * What a value must be. A missing value passes: whether one is needed is not this check's business.
 *
 * @param demand completes "must be …"
 * @param quiet whether a refusal must not repeat the value, which may hold a secret or be long
 * @param test is never given null
 */
record Check(String demand, boolean quiet, Predicate<Object> test) implements ConfigDef.Validator {

  /** What a resource may be called. */
  static final Pattern RESOURCE_NAME = Pattern.compile("[a-z0-9][a-z0-9-]*");

  /** What a location may be called. */
  static final Pattern LOCATION_NAME = Pattern.compile("[a-z0-9][a-z0-9_-]*");

  /** What a broker accepts as the name of a topic, apart from its length. */
  static final Pattern TOPIC_NAME = Pattern.compile("[a-zA-Z0-9._-]+");

  /** Segments as they may stand in a URL, none of them empty or made of dots that climb. */
  private static final Pattern PATH_TEXT =
      Pattern.compile(
          "(/(?!(\\.|%2[Ee]){1,2}(/|$))([A-Za-z0-9._~!$&'()*+,;=:@-]|%[0-9A-Fa-f]{2})+)+/?");

  private static final String ONE_OF = "one of ";

  static final Check ANY = new Check("anything", false, value -> true);

  static final Check NOT_BLANK = text("not empty", text -> !text.isBlank());

  static final Check LOCATION =
      text(
          "lower-case letters, digits, - and _, and begin with a letter or digit",
          text -> LOCATION_NAME.matcher(text).matches());

  static final Check LOCATIONS = names(LOCATION_NAME, "lower-case letters, digits, - and _");

  static final Check RESOURCES =
      names(RESOURCE_NAME, "lower-case letters, digits and -")
          .and("not empty", value -> !((List<?>) value).isEmpty());

  static final Check KEY_FIELDS =
      list(
          "names of fields, each once, or alternatives such as a|b",
          fields -> distinct(fields) && fields.stream().allMatch(Check::alternatives));

  static final Check FIELDS =
      list(
          "names of fields, each once",
          fields -> distinct(fields) && fields.stream().noneMatch(String::isBlank));

  static final Check BASE_URL =
      new Check(
          "an absolute http or https address without user, query and fragment,"
              + " such as https://api.example.com/v1",
          true,
          value -> httpUrl((String) value));

  static final Check PROXY_URL =
      new Check(
          "the http address of a proxy without user and path, such as http://proxy.example.com:3128",
          true,
          value -> httpUrl((String) value) && proxy((String) value));

  static final Check PATH =
      text(
          "a path that begins with a slash and has no query, such as /reporting/inventory",
          text -> PATH_TEXT.matcher(text).matches());

  static final Check PARAMETER =
      text("the name of a query parameter", text -> text.matches("[A-Za-z0-9._~$-]+"));

  static final Check AVRO =
      new Check("an Avro schema of type record", true, value -> avroRecord((String) value));

  static final Check TOPIC =
      text(
          "the name of a topic: letters, digits, dots, - and _, at most 249 of them",
          Check::topicName);

  static final Check TOPIC_PREFIX =
      text(
          "letters, digits, dots, - and _, and not begin or end with a dot",
          text ->
              TOPIC_NAME.matcher(text).matches() && !text.startsWith(".") && !text.endsWith("."));

  static final Check TOPIC_TEMPLATE =
      text(
          "a name that holds {resource}, and may hold {prefix} and {location}",
          text ->
              text.contains("{resource}")
                  && TOPIC_NAME
                      .matcher(text.replaceAll("\\{(prefix|location|resource)}", "x"))
                      .matches());

  static final Check START =
      text(
          "earliest, now, or an instant such as 2024-01-31T00:00:00Z",
          text -> {
            try {
              return StartFrom.parse(text).latest().getEpochSecond() >= 0;
            } catch (DateTimeParseException e) {
              return false;
            }
          });

  static final Check USER_AGENT =
      text("printable ASCII", text -> text.matches("[\\x21-\\x7e]([\\x20-\\x7e]*[\\x21-\\x7e])?"));

  static Check between(long least, long most) {
    return new Check(
        "between " + least + " and " + most,
        false,
        value -> ((Number) value).longValue() >= least && ((Number) value).longValue() <= most);
  }

  static Check atLeast(long least) {
    return new Check("at least " + least, false, value -> ((Number) value).longValue() >= least);
  }

  static Check share() {
    return new Check(
        "between 0 and 1",
        false,
        value -> ((Number) value).doubleValue() >= 0 && ((Number) value).doubleValue() <= 1);
  }

  /** More than nothing, at most everything. */
  static Check positiveShare() {
    return new Check(
        "more than 0 and at most 1",
        false,
        value -> ((Number) value).doubleValue() > 0 && ((Number) value).doubleValue() <= 1);
  }

  static Check oneOf(List<String> spellings) {
    return text(ONE_OF + String.join(", ", spellings), spellings::contains);
  }

  /** Whether the demand is a list of all there is to choose from. */
  boolean choice() {
    return demand.startsWith(ONE_OF);
  }

  static boolean topicName(String name) {
    return TOPIC_NAME.matcher(name).matches()
        && name.length() <= 249
        && !name.equals(".")
        && !name.equals("..");
  }

  @Override
  public void ensureValid(String name, @Nullable Object value) {
    if (value == null || test.test(value)) {
      return;
    }
    if (quiet) {
      throw new ConfigException(name + " must be " + demand);
    }
    throw new ConfigException(name, value, "must be " + demand);
  }

  @Override
  public String toString() {
    return demand;
  }

  private Check and(String more, Predicate<Object> other) {
    return new Check(demand + ", and " + more, quiet, test.and(other));
  }

  private static Check text(String demand, Predicate<String> test) {
    return new Check(demand, false, value -> test.test((String) value));
  }

  private static Check list(String demand, Predicate<List<String>> test) {
    return new Check(
        demand,
        false,
        value -> test.test(((List<?>) value).stream().map(String.class::cast).toList()));
  }

  private static Check names(Pattern name, String letters) {
    return list(
        "names, each once, of " + letters,
        names -> distinct(names) && names.stream().allMatch(n -> name.matcher(n).matches()));
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

  private static boolean avroRecord(String text) {
    try {
      return new Schema.Parser().parse(text).getType() == Schema.Type.RECORD;
    } catch (AvroRuntimeException e) {
      return false;
    }
  }

  private static boolean proxy(String text) {
    URI uri = URI.create(text);
    return "http".equalsIgnoreCase(uri.getScheme())
        && (uri.getRawPath().isEmpty() || uri.getRawPath().equals("/"));
  }
}
