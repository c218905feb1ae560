package io.posconnect.acceptance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.posconnect.cluster.Cluster;
import io.posconnect.cluster.ConnectorStatus;
import io.posconnect.cluster.SharedCluster;
import io.posconnect.cluster.TopicRecord;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * Over mutual TLS with keys from files, with everything logged: nothing leaks, keys rotate live.
 */
@ExtendWith(SharedCluster.class)
class SecurityIT {

  private static final String KEY = "MARKED-KEY-1f3a";
  private static final String SUCCESSOR = "MARKED-KEY-2b7c";
  private static final String PASSWORD = "MARKED-PASSWORD-9d";
  private static final String STORE_PASSWORD = "MARKED-STORE_PASSWORD-4e";
  private static final String ROW = "MARKED-ROW-77";
  private static final Duration SOON = Duration.ofMinutes(1);

  private static String credentials(String key) {
    byte[] text = (key + ":" + PASSWORD).getBytes(StandardCharsets.UTF_8);
    return Base64.getEncoder().encodeToString(text);
  }

  private static String request(Cluster cluster, String method, String path, String body)
      throws IOException, InterruptedException {
    HttpRequest request =
        HttpRequest.newBuilder(URI.create(cluster.worker(0).restUrl() + path))
            .header("Content-Type", "application/json")
            .method(method, HttpRequest.BodyPublishers.ofString(body))
            .build();
    return HttpClient.newHttpClient().send(request, HttpResponse.BodyHandlers.ofString()).body();
  }

  private static void logEverything(Cluster cluster, boolean everything) throws Exception {
    String level = everything ? "TRACE" : "INFO";
    // Not the worker's own: at TRACE it logs every record.
    for (String logger : List.of("io.posconnect", "okhttp3", "okio")) {
      request(cluster, "PUT", "/admin/loggers/" + logger, "{\"level\":\"" + level + "\"}");
    }
  }

  private static Map<String, String> settings(
      Cluster cluster, Simulator service, Certificates certificates) {
    Map<String, String> settings = new TreeMap<>();
    settings.put("connector.class", "io.posconnect.PosSourceConnector");
    settings.put("exactly.once.support", "required");
    settings.put("base.url", service.baseUrl().toString());
    settings.put("topic.prefix", "secure");
    settings.put("api.key", cluster.secret("pos.properties", "key", KEY));
    settings.put("api.password", cluster.secret("password.properties", "password", PASSWORD));
    String stores = cluster.secret("stores.properties", "password", STORE_PASSWORD);
    settings.put("ssl.truststore.location", certificates.trusted().toString());
    settings.put("ssl.truststore.password", stores);
    settings.put("ssl.keystore.location", certificates.client().toString());
    settings.put("ssl.keystore.password", stores);
    settings.put("resources", "products,inventory");
    for (String resource : List.of("products", "inventory")) {
      settings.put("resources." + resource + ".requests.per.minute", "6000");
      settings.put("resources." + resource + ".poll.interval.ms", "250");
    }
    settings.put("checkpoint.interval.ms", "500");
    settings.put("retry.backoff.ms", "100");
    settings.put("retry.backoff.max.ms", "500");
    settings.put("errors.fail.after.ms", "2000");
    return settings;
  }

  @Test
  void nothingLeaksAndARotatedKeyIsTakenWithoutARestart(Cluster cluster, @TempDir Path folder)
      throws Exception {
    Certificates certificates = new Certificates(folder, STORE_PASSWORD);
    logEverything(cluster, true);
    List<String> outputs = new ArrayList<>();
    try (Simulator service =
        Simulator.builder()
            .unlimited()
            .password(PASSWORD)
            .tls(certificates.context(), true)
            .start()) {
      SimulatedLocation location = service.location(KEY);
      service.fill(location, new InitialRows(20, 0, 0, Duration.ofDays(1), 20, 0));
      location.products().createEdited(row -> row.put("name", ROW));
      location.inventory().createRaw("{\"" + ROW + "\":\"" + ROW + "\"}");
      cluster.connect().put("secure", settings(cluster, service, certificates));
      cluster.connect().awaitRunning("secure");
      awaitEvents(cluster, 21, "r");

      service.faults().on("/products").times(3).then(Fault.json("[{\"x\":\"" + ROW + "\",,]"));
      service.faults().on("/products").times(1).then(Fault.error(500, ROW + KEY));
      service
          .faults()
          .on("/products")
          .times(1)
          .then(Fault.answer(400, "text/html", credentials(KEY)));

      // Nothing is restarted: the file changes, and so does the key.
      cluster.secret("pos.properties", "key", SUCCESSOR);
      service.rotate(KEY, SUCCESSOR);
      location.products().update(location.products().ids().get(0));
      awaitEvents(cluster, 1, "u");
      outputs.add(request(cluster, "GET", "/connectors/secure/status", ""));
      assertThat(cluster.connect().status("secure").all("RUNNING")).isTrue();

      service.revoke(SUCCESSOR);
      ConnectorStatus failed = cluster.connect().awaitFailed("secure");
      assertThat(failed.toString())
          .contains("every stream has been suspended for errors.fail.after.ms")
          .contains("401: the API key is unknown or revoked. Correct the key");
      outputs.add(failed.toString());
      outputs.add(cluster.connect().offsets("secure").toString());
      outputs.add(request(cluster, "GET", "/connectors/secure/config", ""));
      outputs.add(request(cluster, "GET", "/connectors/secure/tasks", ""));
      for (TopicRecord record : cluster.topics().read("secure.checkpoints")) {
        outputs.add(record.toString());
      }
      assertNoRow(outputs);
      for (String topic : List.of("secure.products", "secure.inventory", "secure.dead-letters")) {
        if (cluster.topics().topics().contains(topic)) {
          cluster.topics().read(topic).forEach(record -> outputs.add(record.toString()));
        }
      }
      assertNoSecret(outputs);
    } finally {
      logEverything(cluster, false);
      cluster.connect().delete("secure");
    }
    List<String> logs = List.of(Files.readString(cluster.worker(0).log()));
    assertThat(logs.get(0)).contains("secure|task-0");
    assertNoSecret(logs);
    assertNoRow(logs);
  }

  private static void awaitEvents(Cluster cluster, int count, String operation) {
    await("%d %s".formatted(count, operation))
        .atMost(SOON)
        .pollInterval(Duration.ofMillis(500))
        .until(
            () ->
                cluster.topics().read("secure.products").stream()
                        .filter(event -> operation.equals(event.at("op")))
                        .count()
                    == count);
  }

  private static void assertNoSecret(List<String> texts) {
    for (String text : texts) {
      for (String secret :
          List.of(
              KEY, SUCCESSOR, PASSWORD, STORE_PASSWORD, credentials(KEY), credentials(SUCCESSOR))) {
        int at = text.indexOf(secret);
        assertThat(at).as(() -> "a secret: " + around(text, at)).isNegative();
      }
    }
  }

  private static void assertNoRow(List<String> texts) {
    for (String text : texts) {
      int at = text.indexOf(ROW);
      assertThat(at).as(() -> "a row: " + around(text, at)).isNegative();
    }
  }

  private static String around(String text, int at) {
    return text.substring(Math.max(0, at - 300), Math.min(text.length(), Math.max(0, at) + 100));
  }
}
