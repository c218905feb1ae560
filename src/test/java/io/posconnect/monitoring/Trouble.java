package io.posconnect.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Something that goes wrong, the alert that has to tell, and the remedy that has to end it. */
final class Trouble {

  private final String alert;
  private final String about;
  private final String done;
  private final String remedy;
  private final Runnable mend;
  private long beganNanos = System.nanoTime();
  private long mendedNanos;
  private @Nullable Duration fired;
  private @Nullable Duration resolved;
  private String runbook = "";

  /**
   * @param alert its name
   * @param about value of one of its labels, by which it is told from others of that name
   * @param done what was done, in words
   * @param remedy the same of what {@code mend} does, once the alert has fired
   */
  Trouble(String alert, String about, String done, String remedy, Runnable mend) {
    this.alert = alert;
    this.about = about;
    this.done = done;
    this.remedy = remedy;
    this.mend = mend;
  }

  /** What was done is done now. */
  void begins() {
    beganNanos = System.nanoTime();
  }

  boolean hasFired() {
    return fired != null;
  }

  boolean isOver() {
    return resolved != null;
  }

  /** Looks whether the alert fires now, and mends the trouble when it does for the first time. */
  void look(JsonNode alerts) {
    Optional<JsonNode> firing =
        alerts.valueStream().filter(this::isMine).filter(Trouble::isFiring).findFirst();
    if (fired == null && firing.isPresent()) {
      fired = Duration.ofNanos(System.nanoTime() - beganNanos);
      runbook = firing.get().at("/annotations/runbook_url").asText();
      mend.run();
      mendedNanos = System.nanoTime();
    } else if (fired != null && resolved == null && firing.isEmpty()) {
      resolved = Duration.ofNanos(System.nanoTime() - mendedNanos);
    }
  }

  static boolean isFiring(JsonNode alert) {
    return alert.path("state").asText().equals("firing");
  }

  private boolean isMine(JsonNode shown) {
    JsonNode labels = shown.path("labels");
    return labels.path("alertname").asText().equals(alert)
        && (about.isEmpty()
            || labels.valueStream().anyMatch(label -> label.asText().equals(about)));
  }

  /** A line of the table: alert, what was done, fired after, remedy, resolved after, runbook. */
  String row() {
    return "| %s | %s | %s | %s | %s | %s |"
        .formatted(alert, done, seconds(fired), remedy, seconds(resolved), runbook);
  }

  private static String seconds(@Nullable Duration time) {
    return time == null ? "-" : String.format(Locale.ROOT, "%.1f s", time.toMillis() / 1000.0);
  }

  @Override
  public String toString() {
    return row();
  }
}
