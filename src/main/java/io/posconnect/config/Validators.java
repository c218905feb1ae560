package io.posconnect.config;

import io.posconnect.client.Connection;
import io.posconnect.client.Connection.ProxyServer;
import io.posconnect.client.Credentials;
import io.posconnect.config.Setting.Scope;
import io.posconnect.record.DeclaredSchemas;
import io.posconnect.record.FieldList;
import io.posconnect.record.Topics;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Request.Parameter;
import io.posconnect.resource.ServiceAddress;
import io.posconnect.resource.StartFrom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.apache.kafka.common.config.ConfigDef.CompositeValidator;
import org.apache.kafka.common.config.ConfigDef.Range;
import org.apache.kafka.common.config.ConfigDef.Validator;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.types.Password;

/** Validates single values; a value that has a type of its own is asked there. */
final class Validators {

  private static final int LONGEST_NAME = 100;
  private static final double LEAST_SHARE = 0.001;

  static final Validator LOCATION_NAME =
      text(letters(Scope.LOCATION), text -> isOwner(Scope.LOCATION, text));

  static final Validator LOCATIONS = names(Scope.LOCATION);

  static final Validator RESOURCES =
      CompositeValidator.of(
          list("at least one name", names -> !names.isEmpty()), names(Scope.RESOURCE));

  static final Validator KEY_FIELDS = asking(value -> KeyPart.all(strings(value)));

  static final Validator FIELDS =
      list(
          "names of fields, each once, without |",
          fields ->
              isDistinct(fields)
                  && fields.stream().noneMatch(field -> field.isBlank() || field.contains("|")));

  static final Validator FIELD_PATHS = asking(value -> Privacy.checkPaths(strings(value)));

  static final Validator SALT =
      asking(value -> Privacy.checkSalt(((Password) value).value()), false);

  static final Validator TYPED_FIELDS =
      list(
          FieldList.demand(),
          fields -> isDistinct(fields) && fields.stream().allMatch(FieldList::isField));

  static final Validator BASE_URL =
      asking(value -> Connection.checkAddress(ServiceAddress.of((String) value)), false);

  static final Validator PROXY_URL = asking(value -> ProxyServer.of((String) value), false);

  static final Validator USER_AGENT = asking(value -> Connection.checkUserAgent((String) value));

  static final Validator REQUEST_HEADER =
      (name, value) ->
          asking(
                  secret -> Credentials.checkHeader(header(name), ((Password) secret).value()),
                  false)
              .ensureValid(name, value);

  static final Validator TOPIC = asking(value -> Topics.checkName((String) value));

  static final Validator PATH =
      text(
          "a path that begins with a slash and has no query, such as /reporting/inventory",
          ServiceAddress::isPath);

  static final Validator PARAMETER =
      text("the name of a query parameter", text -> isName("[A-Za-z0-9._~$-]+", text));

  static final Validator FIXED_PARAMETERS = asking(value -> Parameter.all(strings(value)), false);

  /** Offsets contain it, and the connector counts snapshots of one id behind a #. */
  static final Validator SNAPSHOT_ID =
      text(
          "text without # and control characters, at most 100 of them",
          text -> text.length() <= LONGEST_NAME && text.matches("[^#\\p{Cntrl}]*"));

  static final Validator AVRO = asking(value -> DeclaredSchemas.parse((String) value), false);

  static final Validator TOPIC_PREFIX =
      text(
          "letters, digits, dots, - and _, and not begin or end with a dot",
          text -> text.matches("[a-zA-Z0-9_-]([a-zA-Z0-9._-]*[a-zA-Z0-9_-])?"));

  static final Validator NAMESPACE =
      text(
          "an Avro namespace of at most 100 characters, such as com.example.pos",
          text -> isName("[A-Za-z_][A-Za-z0-9_]*(\\.[A-Za-z_][A-Za-z0-9_]*)*", text));

  static final Validator TOPIC_TEMPLATE =
      text(
          "a name that holds {resource}, and may hold {prefix} and {location}",
          Validators::isTemplate);

  static final Validator START = asking(value -> StartFrom.check((String) value, Instant.now()));

  /** Accepts the name of a file that may be absent. */
  static final Validator FILE = text("the name of a file", Validators::isFileName);

  /** Kafka's clients accept the certificate of any host when it is empty. */
  static final Validator HOST_CHECK =
      text("https, since the key must reach no other host", "https"::equalsIgnoreCase);

  private static final Validator NUMBER =
      validator("a number", value -> !Double.isNaN(((Number) value).doubleValue()));

  static final Validator SHARE = CompositeValidator.of(NUMBER, Range.between(0, 1));

  /** A smaller share of the rate would mean a wait of days. */
  static final Validator POSITIVE_SHARE =
      CompositeValidator.of(NUMBER, Range.between(LEAST_SHARE, 1));

  private Validators() {}

  /** The same validator for a setting that may have no value. */
  static Validator unlessNull(Validator validator) {
    return (name, value) -> {
      if (value != null) {
        validator.ensureValid(name, value);
      }
    };
  }

  /** Returns whether a resource or a location may have that name. */
  static boolean isOwner(Scope scope, String name) {
    return isName("[a-z0-9][a-z0-9%s-]*".formatted(scope == Scope.RESOURCE ? "" : "_"), name);
  }

  /** The length and the characters of such a name, for a person. */
  static String letters(Scope scope) {
    return "at most "
        + LONGEST_NAME
        + " lower-case letters, digits"
        + (scope == Scope.RESOURCE ? " and -" : ", - and _")
        + ", and begin with a letter or digit";
  }

  /** Accepts a regular file only, since a device or a pipe may have no end. */
  static boolean isFile(Path file, long mostBytes) {
    try {
      return Files.isRegularFile(file) && Files.isReadable(file) && Files.size(file) <= mostBytes;
    } catch (IOException e) {
      return false;
    }
  }

  private static String header(String setting) {
    int group = setting.indexOf(ServiceSettings.HEADERS);
    return setting.substring(group + ServiceSettings.HEADERS.length());
  }

  private static boolean isTemplate(String text) {
    if (!text.contains("{resource}")) {
      return false;
    }
    try {
      Topics.checkName(text.replaceAll("\\{(prefix|location|resource)}", "x"));
      return true;
    } catch (IllegalArgumentException e) {
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

  private static boolean isName(String letters, String text) {
    return text.length() <= LONGEST_NAME && text.matches(letters);
  }

  private static boolean isDistinct(List<String> names) {
    return new HashSet<>(names).size() == names.size();
  }

  static List<String> strings(Object list) {
    return ((List<?>) list).stream().map(String.class::cast).toList();
  }

  private static Validator names(Scope scope) {
    return list(
        "names, each once, of " + letters(scope),
        names -> isDistinct(names) && names.stream().allMatch(name -> isOwner(scope, name)));
  }

  private static Validator text(String demand, Predicate<String> test) {
    return validator(demand, value -> test.test((String) value));
  }

  private static Validator list(String demand, Predicate<List<String>> test) {
    return validator(demand, value -> test.test(strings(value)));
  }

  private static Validator validator(String demand, Predicate<Object> test) {
    return (name, value) -> {
      if (!test.test(value)) {
        throw new ConfigException(name, value, "must be " + demand);
      }
    };
  }

  /** Reports the words with which the rule refuses a value. */
  private static Validator asking(Consumer<Object> rule) {
    return asking(rule, true);
  }

  /**
   * @param shown whether the message repeats the value, which may hold a secret or be long
   */
  private static Validator asking(Consumer<Object> rule, boolean shown) {
    return (name, value) -> {
      try {
        rule.accept(value);
      } catch (IllegalArgumentException e) {
        throw shown
            ? new ConfigException(name, value, e.getMessage())
            : new ConfigException(e.getMessage());
      }
    };
  }
}
