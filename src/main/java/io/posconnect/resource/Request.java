package io.posconnect.resource;

import java.util.List;

/**
 * One GET, relative to a location's base URL; names and values are raw text that the client
 * encodes.
 *
 * @param path begins with a slash
 * @param query parameters in the order in which they are sent
 */
public record Request(String path, List<Parameter> query) {

  /** One query parameter, not yet encoded. */
  public record Parameter(String name, String value) {}

  public Request {
    query = List.copyOf(query);
  }

  public Request(String path, Parameter... query) {
    this(path, List.of(query));
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
