package io.posconnect.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Something that goes wrong, the alert that must fire for it, and the remedy that must end it. */
final class Trouble {

  private final String alert;
  private final String about;
  private String done = "";
  private String remedy = "";
  private Runnable mend = () -> {};
  private long beganNanos = System.nanoTime();
  private long mendedNanos;
  private @Nullable Duration fired;
  private @Nullable Duration resolved;
  private String runbook = "";

  /**
   * A trouble that begins now.
   *
   * @param alert its name
   * @param about value of one of its labels, which distinguishes alerts of that name; or empty
   */
  Trouble(String alert, String about) {
    this.alert = alert;
    this.about = about;
  }

  /** Describes what was done to cause it. */
  Trouble done(String words) {
    done = words;
    return this;
  }

  /** Sets the remedy that is applied once the alert has fired, and its description. */
  Trouble mend(String words, Runnable how) {
    remedy = words;
    mend = how;
    return this;
  }

  /** Begins now, and not when it was created. */
  void begins() {
    beganNanos = System.nanoTime();
  }

  boolean isOver() {
    return resolved != null;
  }

  /** Compares with the alerts that fire now, and mends the trouble when its alert fires first. */
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
