package io.posconnect.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The status of a connector.
 *
 * @param state of the connector itself, such as {@code RUNNING}; {@code ABSENT} when there is none
 * @param worker that it runs on
 * @param trace why it failed, or empty
 */
public record ConnectorStatus(String state, String worker, String trace, List<Task> tasks) {

  public record Task(int id, String state, String worker, String trace) {}

  static final ConnectorStatus ABSENT = new ConnectorStatus("ABSENT", "", "", List.of());

  public ConnectorStatus {
    Objects.requireNonNull(state, "state is null");
    tasks = List.copyOf(tasks);
  }

  static ConnectorStatus of(JsonNode json) {
    List<Task> tasks = new ArrayList<>();
    for (JsonNode task : json.path("tasks")) {
      tasks.add(
          new Task(
              task.path("id").intValue(),
              text(task, "state"),
              text(task, "worker_id"),
              text(task, "trace")));
    }
    JsonNode connector = json.path("connector");
    return new ConnectorStatus(
        text(connector, "state"), text(connector, "worker_id"), text(connector, "trace"), tasks);
  }

  private static String text(JsonNode json, String field) {
    return json.path(field).asText("");
  }

  /**
   * Returns whether connector and tasks are in that state; at least one task, unless it is STOPPED.
   */
  public boolean all(String wanted) {
    return state.equals(wanted)
        && (wanted.equals("STOPPED") ? tasks.isEmpty() : !tasks.isEmpty())
        && tasks.stream().allMatch(task -> task.state().equals(wanted));
  }

  /** Returns whether it or one of its tasks has failed. */
  public boolean failed() {
    return state.equals("FAILED") || tasks.stream().anyMatch(task -> task.state().equals("FAILED"));
  }

  /** States and traces, for people. */
  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("connector " + state + " on " + worker);
    append(text, trace);
    for (Task task : tasks) {
      text.append("\ntask ")
          .append(task.id())
          .append(' ')
          .append(task.state())
          .append(" on ")
          .append(task.worker());
      append(text, task.trace());
    }
    return text.toString();
  }

  private static void append(StringBuilder text, String trace) {
    if (!trace.isEmpty()) {
      text.append(":\n").append(trace);
    }
  }
}
