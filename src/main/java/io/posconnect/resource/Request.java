package io.posconnect.resource;

import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/**
 * One GET, relative to a location's base URL; names and values are raw text that the client
 * encodes.
 *
 * @param path begins with a slash
 * @param query parameters in the order in which they are sent
 */
public record Request(String path, List<Parameter> query) {

  /** One query parameter, not yet encoded. */
  public record Parameter(String name, String value) {

    private static final int LONGEST = 200;

    /**
     * Reads parameters that never change, such as {@code IncludeDetail=true}, as a configuration
     * spells them.
     *
     * @throws IllegalArgumentException with what is demanded, and no value
     */
    public static List<Parameter> all(List<String> texts) {
      List<Parameter> parameters = texts.stream().map(Parameter::of).toList();
      if (parameters.stream().map(each -> each.name().toLowerCase(Locale.ROOT)).distinct().count()
          < texts.size()) {
        throw refused();
      }
      return parameters;
    }

    private static Parameter of(String text) {
      int equals = text.indexOf('=');
      String name = equals < 0 ? "" : text.substring(0, equals).strip();
      String value = text.substring(equals + 1).strip();
      if (!name.matches("[A-Za-z0-9._~$-]+")
          || !value.matches("\\P{Cntrl}*")
          || text.length() > LONGEST) {
        throw refused();
      }
      return new Parameter(name, value);
    }

    private static IllegalArgumentException refused() {
      return new IllegalArgumentException(
          "must be name=value, each name once, of letters, digits and ._~$-, and each value without"
              + " control characters");
    }
  }

  public Request {
    query = List.copyOf(query);
  }

  public Request(String path, Parameter... query) {
    this(path, List.of(query));
  }

  /** The same request with more parameters behind its own. */
  public Request with(List<Parameter> more) {
    return new Request(path, Stream.concat(query.stream(), more.stream()).toList());
  }

  /** The value of the first parameter of that name, or the given default. */
  public String parameter(String name, String otherwise) {
    return query.stream()
        .filter(p -> p.name().equals(name))
        .map(Parameter::value)
        .findFirst()
        .orElse(otherwise);
  }
}
