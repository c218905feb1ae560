package io.posconnect.tool;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.SmallHeap;
import io.posconnect.config.SourceConfig;
import io.posconnect.hostile.HostileService;
import io.posconnect.location.ClientFactory;
import io.posconnect.resource.Stream;
import io.posconnect.tool.MemoryTopics.Form;
import java.io.BufferedWriter;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import java.io.Writer;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * An audit of a million keys in a heap of 512 MB: rows and records are made as they are read, and
 * every tenth key differs. {@code -Drows=5000000 -Dheap=2g} tries others.
 */
@Tag("practice")
class AuditMemoryTest {

  private static final Stream THINGS = new Stream("default", "things");
  private static final String TOPIC = "pos.things";
  private static final int UNEQUAL = 10;

  @Test
  void auditsMillionKeysInSmallHeap() throws Exception {
    String rows = System.getProperty("rows", "1000000");
    String result = SmallHeap.run(System.getProperty("heap", "512m"), AuditMemoryTest.class, rows);
    System.out.print(result);

    assertThat(result).contains("and " + (Integer.parseInt(rows) / UNEQUAL - 5) + " more keys");
  }

  private static String row(int id, boolean changed) {
    return "{\"id\":\"item-%08d\",\"name\":\"Name %d\",\"price\":%d.25,\"stock\":%d,\"on\":true}"
        .formatted(id, id, id % 1000, changed ? -1 : id % 17);
  }

  /** The same within this process. */
  public static void main(String[] args) throws Exception {
    int rows = Integer.parseInt(args[0]);
    try (HostileService service =
        HostileService.always(
            wire -> {
              OutputStream out = wire.json("").out();
              try (Writer body = new BufferedWriter(new OutputStreamWriter(out, UTF_8))) {
                for (int id = 0; id < rows; id++) {
                  body.append(id == 0 ? '[' : ',').append(row(id, id % UNEQUAL == 0));
                }
                body.append(']');
              }
            })) {
      audit(service, rows);
    }
  }

  private static void audit(HostileService service, int rows) {
    Map<String, String> settings = Run.things(service.baseUrl(), "a-key");
    settings.put("resources.things.fields", "id:string,name:string,price:decimal");
    settings.put("rate.limit.share", "1");
    SourceConfig config = SourceConfig.checked(settings);
    PrintWriter out = new PrintWriter(System.out, true, UTF_8);
    Screen screen = new Screen(out, out);
    ClientFactory clients = ClientFactory.sharing();
    TopicSource topics = topics(config, rows);
    RecordDecoder decoder = TOPICS.decoder();
    List<StreamResult> results =
        new Auditor(
                config,
                topics,
                decoder,
                new Checkpoints(config, topics, decoder),
                stream ->
                    new StreamReader(config, clients, config.resource(stream), stream, screen),
                new Auditor.Options(Optional.empty(), Duration.ZERO, 5))
            .audit(List.of(THINGS));
    new AuditReport(results, Optional.empty()).print(screen);
    System.gc();
    Runtime heap = Runtime.getRuntime();
    System.out.printf(
        "%d MB of at most %d MB are in use afterwards%n",
        (heap.totalMemory() - heap.freeMemory()) >> 20, heap.maxMemory() >> 20);
  }

  private static final MemoryTopics TOPICS = new MemoryTopics(Form.AVRO);

  /** Makes each record when it is read, and holds none. */
  private static TopicSource topics(SourceConfig config, int rows) {
    RowWriter writer = RowWriter.of(config, THINGS, Instant.now());
    TOPICS.create(TOPIC);
    return new TopicSource() {
      private int id;

      @Override
      public Optional<State> state(String topic) {
        return TOPICS.state(topic);
      }

      @Override
      public void read(String topic, Consumer<? super ConsumerRecord<byte[], byte[]>> visitor) {
        for (; topic.equals(TOPIC) && id < rows; id++) {
          TOPICS.publish(writer, THINGS, row(id, false));
          TOPICS.drain(TOPIC, visitor);
        }
      }

      @Override
      public Optional<ConsumerRecord<byte[], byte[]>> record(
          String topic, int partition, long offset) {
        return Optional.empty();
      }

      @Override
      public void close() {}
    };
  }
}
