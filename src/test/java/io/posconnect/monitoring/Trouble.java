package io.posconnect.monitoring;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A fault, the alert that must fire for it, and the remedy that must resolve the alert. */
final class Trouble {

  private final String alert;
  private final String about;
  private final String done;
  private final String remedy;
  private final Runnable repair;
  private long beganNanos = System.nanoTime();
  private long repairedNanos;
  private @Nullable Duration fired;
  private @Nullable Duration resolved;
  private String runbook = "";

  /**
   * @param alert name of the alert
   * @param about value of one of its labels, which distinguishes it from others of that name
   * @param done describes the fault
   * @param remedy describes {@code repair}, which runs once the alert has fired
   */
  Trouble(String alert, String about, String done, String remedy, Runnable repair) {
    this.alert = alert;
    this.about = about;
    this.done = done;
    this.remedy = remedy;
    this.repair = repair;
  }

  /** The fault begins now. */
  void begins() {
    beganNanos = System.nanoTime();
  }

  boolean hasFired() {
    return fired != null;
  }

  boolean isOver() {
    return resolved != null;
  }

  /** Compares with the present alerts, and repairs the fault when its alert fires first. */
  void update(JsonNode alerts) {
    Optional<JsonNode> firing =
        alerts.valueStream().filter(this::isMine).filter(Trouble::isFiring).findFirst();
    if (fired == null && firing.isPresent()) {
      fired = Duration.ofNanos(System.nanoTime() - beganNanos);
      runbook = firing.get().at("/annotations/runbook_url").asText();
      repair.run();
      repairedNanos = System.nanoTime();
    } else if (fired != null && resolved == null && firing.isEmpty()) {
      resolved = Duration.ofNanos(System.nanoTime() - repairedNanos);
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
