package io.posconnect.resource;

import io.posconnect.resource.Request.Parameter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Another retrieval, each of whose requests also carries parameters that never change, such as
 * {@code IncludeDetail=true}.
 *
 * @param retrieval which gives none of its own parameters one of these names
 */
public record FixedParameters(Retrieval retrieval, List<Parameter> parameters)
    implements Retrieval {

  private static final String DEMAND =
      "must be name=value, each name once, of letters, digits and ._~$-, and each value without"
          + " control characters";
  private static final int LONGEST = 200;

  public FixedParameters {
    parameters = List.copyOf(parameters);
  }

  /**
   * Reads them as a configuration spells them.
   *
   * @throws IllegalArgumentException with what is demanded, and no value
   */
  public static List<Parameter> parse(List<String> texts) {
    List<Parameter> parameters = new ArrayList<>();
    Set<String> names = new HashSet<>();
    for (String text : texts) {
      int equals = text.indexOf('=');
      String name = equals < 0 ? "" : text.substring(0, equals).strip();
      String value = text.substring(equals + 1).strip();
      boolean isNew = names.add(name.toLowerCase(Locale.ROOT));
      if (!isNew
          || !name.matches("[A-Za-z0-9._~$-]+")
          || !value.matches("\\P{Cntrl}*")
          || text.length() > LONGEST) {
        throw new IllegalArgumentException(DEMAND);
      }
      parameters.add(new Parameter(name, value));
    }
    return parameters;
  }

  @Override
  public Style style() {
    return retrieval.style();
  }

  @Override
  public Request first(String path, Window window) {
    return with(retrieval.first(path, window));
  }

  @Override
  public Optional<Request> next(Request previous, PageEnd end, PageEnd first) {
    return retrieval.next(previous, end, first).map(this::with);
  }

  @Override
  public boolean endsBefore(Request request, int status, PageEnd first) {
    return retrieval.endsBefore(request, status, first);
  }

  @Override
  public List<Request> probes(String path, Window recent) {
    return retrieval.probes(path, recent).stream().map(this::with).toList();
  }

  private Request with(Request request) {
    return new Request(
        request.path(), Stream.concat(request.query().stream(), parameters.stream()).toList());
  }

  @Override
  public Shape shape(Request request) {
    return retrieval.shape(request);
  }

  @Override
  public boolean shifting() {
    return retrieval.shifting();
  }
}
