package io.posconnect.cluster;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.Io;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionTimeoutException;
import org.awaitility.core.TerminalFailureException;
import org.jspecify.annotations.Nullable;

/** Calls the REST interface of the first worker that answers, and waits for rebalances to end. */
public final class ConnectClient {

  private static final Duration LIMIT = Duration.ofMinutes(1);

  /** A status may be that of a moment ago, so a failure counts once it has lasted that long. */
  private static final Duration FAILURE_LASTS = Duration.ofSeconds(15);

  private final Supplier<List<URI>> workers;

  ConnectClient(Supplier<List<URI>> workers) {
    this.workers = workers;
  }

  /** The Kafka that the worker runs. */
  public String version() {
    return call("GET", "/", null).path("version").asText();
  }

  /** Returns whether the worker knows such a request, by making it. */
  public boolean knows(String method, String path, @Nullable Object body) {
    int status = Io.unchecked(() -> send(method, path, body)).status();
    return status != 404 && status != 405;
  }

  /** Classes of every plugin that the worker has found. */
  public List<String> plugins() {
    return call("GET", "/connector-plugins?connectorsOnly=false", null).findValuesAsText("class");
  }

  /** The versions of a connector that each worker has found, worker by worker. */
  public List<String> versions(String connectorClass) {
    return workers.get().stream()
        .map(worker -> Rest.unwrap(() -> new Rest(worker).get("/connector-plugins")))
        .flatMap(JsonNode::valueStream)
        .filter(plugin -> plugin.path("class").asText().equals(connectorClass))
        .map(plugin -> plugin.path("version").asText())
        .toList();
  }

  /** Names of the connectors. */
  public List<String> connectors() {
    return call("GET", "/connectors", null).valueStream().map(JsonNode::asText).toList();
  }

  /** Creates a connector, or gives it another configuration. */
  public void put(String name, Map<String, String> settings) {
    call("PUT", "/connectors/" + name + "/config", settings);
  }

  /** Changes some settings of a connector, by one request. */
  public void patch(String name, Map<String, String> settings) {
    call("PATCH", "/connectors/" + name + "/config", settings);
  }

  /** Creates a connector that reads nothing until it is resumed. */
  public void createStopped(String name, Map<String, String> settings) {
    call(
        "POST",
        "/connectors",
        Map.of("name", name, "config", settings, "initial_state", "STOPPED"));
    await(name, "be STOPPED", status -> status.all("STOPPED"), LIMIT);
  }

  /** Validates a configuration and returns its errors: setting → messages. */
  public Map<String, List<String>> validate(String connectorClass, Map<String, String> settings) {
    Map<String, List<String>> errors = validated(connectorClass, settings);
    errors.values().removeIf(List::isEmpty);
    return errors;
  }

  /** The settings that a worker knows of such a configuration, whether it has them or not. */
  public Set<String> known(String connectorClass, Map<String, String> settings) {
    return validated(connectorClass, settings).keySet();
  }

  private Map<String, List<String>> validated(String connectorClass, Map<String, String> settings) {
    Map<String, String> all = new LinkedHashMap<>(settings);
    all.put("connector.class", connectorClass);
    all.putIfAbsent("name", "validated");
    String simpleName = connectorClass.substring(connectorClass.lastIndexOf('.') + 1);
    JsonNode answer = call("PUT", "/connector-plugins/" + simpleName + "/config/validate", all);
    Map<String, List<String>> messages = new TreeMap<>();
    for (JsonNode config : answer.path("configs")) {
      JsonNode value = config.path("value");
      messages.put(
          value.path("name").asText(),
          value.path("errors").valueStream().map(JsonNode::asText).toList());
    }
    return messages;
  }

  public ConnectorStatus status(String name) {
    try {
      Rest.Answer answer = send("GET", "/connectors/" + name + "/status", null);
      return answer.status() == 404 ? ConnectorStatus.ABSENT : ConnectorStatus.of(answer.orThrow());
    } catch (IOException e) {
      return new ConnectorStatus("UNREACHABLE", "", e.toString(), List.of());
    }
  }

  /** Source partitions and their offsets: the elements of {@code offsets}. */
  public JsonNode offsets(String name) {
    return call("GET", "/connectors/" + name + "/offsets", null).path("offsets");
  }

  /** Writes one offset of a stopped connector; null resets it. */
  public void alterOffset(String name, Map<String, ?> partition, @Nullable Map<String, ?> offset) {
    Map<String, Object> change = new LinkedHashMap<>();
    change.put("partition", partition);
    change.put("offset", offset);
    alterOffsets(name, Map.of("offsets", List.of(change)));
  }

  /**
   * Sends a body to the offsets of a stopped connector as it is; an {@link IllegalStateException}
   * when refused.
   */
  public void alterOffsets(String name, Object body) {
    call("PATCH", "/connectors/" + name + "/offsets", body);
  }

  /** Forgets every offset of a stopped connector. */
  public void deleteOffsets(String name) {
    call("DELETE", "/connectors/" + name + "/offsets", null);
  }

  /** The configurations of its tasks, as the worker shows them. */
  public JsonNode taskConfigs(String name) {
    return call("GET", "/connectors/" + name + "/tasks", null);
  }

  public void level(String logger, String level) {
    call("PUT", "/admin/loggers/" + logger, Map.of("level", level));
  }

  public void pause(String name) {
    call("PUT", "/connectors/" + name + "/pause", Map.of());
    await(name, "be PAUSED", status -> status.all("PAUSED"), LIMIT);
  }

  public void resume(String name) {
    orderResumption(name);
    awaitRunning(name);
  }

  /** Resumes it, and does not wait until it runs. */
  public void orderResumption(String name) {
    call("PUT", "/connectors/" + name + "/resume", Map.of());
  }

  public void stop(String name) {
    call("PUT", "/connectors/" + name + "/stop", Map.of());
    await(name, "be STOPPED", status -> status.all("STOPPED"), LIMIT);
  }

  /** Restarts a connector and its tasks, failed or not. */
  public void restart(String name) {
    call("POST", "/connectors/" + name + "/restart?includeTasks=true&onlyFailed=false", Map.of());
  }

  /** Removes a connector and returns when it is gone; its offsets stay. */
  public void delete(String name) {
    call("DELETE", "/connectors/" + name, null);
    await(name, "be gone", status -> status.equals(ConnectorStatus.ABSENT), LIMIT);
  }

  /**
   * Waits until the connector and all its tasks run; an {@link AssertionError} with the traces when
   * they fail.
   */
  public ConnectorStatus awaitRunning(String name) {
    AtomicReference<Long> failedSince = new AtomicReference<>(Long.MAX_VALUE);
    return await(
        name,
        "be RUNNING",
        status -> {
          long now = System.nanoTime();
          failedSince.updateAndGet(
              since -> status.failed() ? Math.min(since, now) : Long.MAX_VALUE);
          if (status.failed() && now - failedSince.get() > FAILURE_LASTS.toNanos()) {
            throw new TerminalFailureException("it has failed");
          }
          return status.all("RUNNING");
        },
        LIMIT);
  }

  /** Waits until the connector or one of its tasks has failed. */
  public ConnectorStatus awaitFailed(String name) {
    return await(name, "have FAILED", ConnectorStatus::failed, LIMIT);
  }

  /**
   * Waits for a status; an {@link AssertionError} with the last one, traces and all, when it does
   * not come.
   */
  public ConnectorStatus await(
      String name, String what, Predicate<ConnectorStatus> wanted, Duration limit) {
    AtomicReference<ConnectorStatus> last = new AtomicReference<>(ConnectorStatus.ABSENT);
    try {
      Awaitility.await()
          .atMost(limit)
          .pollInterval(Duration.ofMillis(200))
          .until(
              () -> {
                last.set(status(name));
                return wanted.test(last.get());
              });
      return last.get();
    } catch (ConditionTimeoutException | TerminalFailureException e) {
      throw new AssertionError("connector " + name + " should " + what + ", but: " + last.get(), e);
    }
  }

  private JsonNode call(String method, String path, @Nullable Object body) {
    AtomicReference<Rest.Answer> answer = new AtomicReference<>();
    Awaitility.await(method + " " + path)
        .atMost(LIMIT)
        .pollDelay(Duration.ZERO)
        .pollInterval(Duration.ofMillis(300))
        .ignoreExceptionsInstanceOf(IOException.class)
        .until(
            () -> {
              answer.set(send(method, path, body));
              return !isRebalancing(answer.get());
            });
    return answer.get().orThrow();
  }

  /** 409 is a rebalance, unless it is an order that a connector in this state cannot follow. */
  private static boolean isRebalancing(Rest.Answer answer) {
    return answer.status() == 409 && answer.text().contains("rebalance");
  }

  private Rest.Answer send(String method, String path, @Nullable Object body) throws IOException {
    IOException failure = new IOException("no worker answers");
    for (URI worker : workers.get()) {
      try {
        Rest rest = new Rest(worker);
        return body == null ? rest.send(method, path) : rest.send(method, path, body);
      } catch (IOException e) {
        failure.addSuppressed(e);
      }
    }
    throw failure;
  }
}
