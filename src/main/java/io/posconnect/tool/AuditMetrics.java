package io.posconnect.tool;

import io.posconnect.tool.AuditedKeys.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.function.ToLongFunction;

/**
 * Writes the results of an audit in Prometheus' text format. The names are public. Numbers are
 * formatted as text, since those of some locales have other digits.
 *
 * @param now when the audit ended
 */
record AuditMetrics(List<StreamResult> results, Instant now) {

  String text() {
    StringBuilder text = new StringBuilder();
    head(text, "verdict", "1 for the verdict of the stream, 0 for the others.");
    for (Verdict verdict : Verdict.values()) {
      series(text, "verdict", ",verdict=\"" + verdict + '"', r -> r.verdict() == verdict ? 1 : 0);
    }
    head(text, "verified_through_seconds", "Server time up to which the topic is verified, or 0.");
    series(
        text,
        "verified_through_seconds",
        "",
        result -> result.verifiedThrough().map(Instant::getEpochSecond).orElse(0L));
    head(text, "keys", "Keys by outcome.");
    for (Outcome outcome : Outcome.values()) {
      series(text, "keys", ",outcome=\"" + outcome + '"', result -> result.count(outcome));
    }
    head(text, "ended_seconds", "When the audit ended.");
    return text.append("pos_audit_ended_seconds %s\n".formatted(now.getEpochSecond())).toString();
  }

  private static void head(StringBuilder text, String name, String help) {
    text.append("# HELP pos_audit_%s %s\n# TYPE pos_audit_%1$s gauge\n".formatted(name, help));
  }

  private void series(
      StringBuilder text, String name, String label, ToLongFunction<StreamResult> value) {
    results.forEach(
        each ->
            text.append(
                "pos_audit_%s{location=\"%s\",resource=\"%s\"%s} %s\n"
                    .formatted(
                        name,
                        each.stream().location(),
                        each.stream().resource(),
                        label,
                        value.applyAsLong(each))));
  }
}
