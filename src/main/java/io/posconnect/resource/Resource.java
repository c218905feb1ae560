package io.posconnect.resource;

import io.posconnect.resource.Request.Parameter;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/**
 * One resource of the service, with all that is needed to read it.
 *
 * @param name as it stands in topics, offsets and settings, such as {@code register-transactions}
 * @param path relative to the base URL, beginning with a slash
 * @param retrieval how it is read
 * @param keyFields names of the fields that identify a row, in key order; {@code a|b} is a field
 *     {@code a} with the alias {@code b}, and {@code a?} may be null; none when the resource is a
 *     single object
 * @param occurrences whether identical rows exist, so that a row's key needs its occurrence number
 *     within the list
 * @param ignoreFields names of fields that are not compared
 * @param requestsPerMinute the service's limit for one key on this path
 * @param pollInterval from the start of one read to the start of the next
 * @param lookback how far an increment reaches back behind the watermark, since data reach the
 *     service late
 * @param parameters which every request carries beside those of its retrieval, none of which has
 *     one of these names
 */
public record Resource(
    String name,
    String path,
    Retrieval retrieval,
    List<String> keyFields,
    boolean occurrences,
    Set<String> ignoreFields,
    int requestsPerMinute,
    Duration pollInterval,
    Duration lookback,
    List<Parameter> parameters) {

  public Resource {
    keyFields = List.copyOf(keyFields);
    ignoreFields = Set.copyOf(ignoreFields);
    parameters = List.copyOf(parameters);
  }

  /** What the answer to one of its requests looks like. */
  public Shape shape(Request request) {
    Shape list = retrieval.shape(request);
    return keyFields.equals(List.of(Shape.VALUE)) ? new Shape.Values(list) : list;
  }
}
