package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.resource.Request.Parameter;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ParameterTrialTest {

  /** The rows with the flag, without it, and with it again. */
  @ParameterizedTest
  @CsvSource({
    "1 2 3, 1 2 3, 1 2 3, changes nothing in 3 rows",
    // Others changed between the readings: one row each time, and one new row at the beginning.
    "1 2 3, 1 2 30, 1 20 30, changes nothing in 1 row",
    "1 2 3, 4 1 2, 4 1 2, changes nothing in 2 rows",
    "1 2 3, 1 2, 1 2, changes nothing in 2 rows",
    // It adds a field to one row, or selects rows.
    "1 2 3, 1 2 30, 1 2 3, ''",
    "1 2 3, 1 2, 1 2 3, ''",
    "1 2, 1 2 3, 1 2, ''",
    // Nothing is known without rows, where all differ each time, or where the flag is demanded.
    "'', '', '', ''",
    "1 2, 3 4, 5 6, ''",
    "1 2, '', 1 2, ''",
  })
  void findsOnlyParametersThatChangeNothing(
      String before, String without, String after, String found) {
    Parameter flag = new Parameter("Flag", "true");
    Deque<String> readings = new ArrayDeque<>(List.of(before, without, after));

    String idle =
        new ParameterTrial("store/things", List.of(flag), fixed -> rows(fixed, flag, readings))
            .idle()
            .toString();

    assertThat(readings).isEmpty();
    if (found.isEmpty()) {
      assertThat(idle).isEqualTo("[]");
    } else {
      assertThat(idle)
          .contains("POS-116 store/things: Flag " + found + ": the service may not know it");
    }
  }

  private static Set<Long> rows(List<Parameter> fixed, Parameter flag, Deque<String> readings) {
    assertThat(fixed.contains(flag)).isEqualTo(readings.size() != 2);
    return Pattern.compile("\\d+")
        .matcher(readings.remove())
        .results()
        .map(number -> Long.valueOf(number.group()))
        .collect(Collectors.toSet());
  }
}
