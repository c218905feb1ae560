package io.posconnect.tool;

import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.problem.Text;
import io.posconnect.resource.Request.Parameter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;

/**
 * Reads some rows with and without each fixed parameter, and finds those that change nothing.
 *
 * <p>Rows may change meanwhile, so those without a parameter are compared with those before and
 * after them: what stands in both must be there, and nothing that stands in neither.
 *
 * @param all the parameters of the stream
 * @param reading reads the beginning of the stream with some of them: the content of its rows
 */
record ParameterTrial(
    String stream, List<Parameter> all, Function<List<Parameter>, Set<Long>> reading) {

  /** So many rows and requests are enough for a reading. */
  static final int ROWS = 200;

  static final int REQUESTS = 3;

  List<Incident> idle() {
    List<Incident> idle = new ArrayList<>();
    Set<Long> before = all.isEmpty() ? Set.of() : reading.apply(all);
    for (Parameter each : all) {
      Set<Long> without = reading.apply(all.stream().filter(other -> !other.equals(each)).toList());
      Set<Long> after = reading.apply(all);
      Set<Long> either = new HashSet<>(before);
      either.addAll(after);
      Set<Long> both = new HashSet<>(before);
      both.retainAll(after);
      if (!both.isEmpty() && without.containsAll(both) && either.containsAll(without)) {
        idle.add(
            Problem.PARAMETER_IDLE.incident(
                stream,
                "%s changes nothing in %s: the service may not know it"
                    .formatted(each.name(), Text.count(both.size(), "row"))));
      }
      before = after;
    }
    return idle;
  }
}
