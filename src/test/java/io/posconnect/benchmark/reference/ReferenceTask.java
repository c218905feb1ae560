package io.posconnect.benchmark.reference;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.kafka.clients.producer.RecordMetadata;
import org.apache.kafka.connect.data.Schema;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.source.SourceRecord;
import org.apache.kafka.connect.source.SourceTask;

/**
 * Makes records on a thread of its own, ahead of {@link #poll}, and keeps no position. The mark
 * follows when Connect has acknowledged every record; its timestamp is the time of the last
 * acknowledgement.
 */
public final class ReferenceTask extends SourceTask {

  /** How the rows come about. */
  public enum Mode {
    /** They are made before the time counts: as fast as Connect can be. */
    READY,
    /** A streaming parser reads the list into typed rows. */
    STREAMED,
    /** The parser reads every value of the list, and no row is emitted. */
    PARSED
  }

  /** The usual {@code batch.max.records} of ours, which is one transaction. */
  private static final int BATCH = 4000;

  private static final Map<String, ?> PARTITION = Map.of("list", "products");
  private static final Map<String, ?> OFFSET = Map.of("read", true);

  private final BlockingQueue<List<SourceRecord>> batches = new ArrayBlockingQueue<>(4);
  private final AtomicLong acknowledged = new AtomicLong();
  private List<SourceRecord> batch = new ArrayList<>(BATCH);
  private Map<String, String> settings = Map.of();
  private Thread reader = new Thread(this::read);
  private volatile long acknowledgedAt;
  private volatile long rows = -1;
  private volatile Throwable failure;
  private boolean marked;

  @Override
  public void start(Map<String, String> config) {
    settings = config;
    reader = new Thread(this::read, "reference-fetch");
    reader.setDaemon(true);
    reader.start();
  }

  private void read() {
    try {
      rows =
          switch (Mode.valueOf(settings.get(ReferenceConnector.MODE))) {
            case READY -> emitReady();
            case STREAMED -> emitStreamed();
            case PARSED -> parse();
          };
      // A thread that has ended has no processor time to be read.
      new CountDownLatch(1).await();
    } catch (IOException | RuntimeException e) {
      failure = e;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private InputStream open(String query) throws IOException {
    return URI.create(settings.get(ReferenceConnector.URL) + query).toURL().openStream();
  }

  private TypedRows typedRows() {
    return new TypedRows(settings.get(ReferenceConnector.FIELDS));
  }

  private long emitStreamed() throws IOException, InterruptedException {
    TypedRows typed = typedRows();
    long count = 0;
    try (JsonParser json = new JsonFactory().createParser(open(""))) {
      json.nextToken();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        Struct row = typed.read(json);
        emit(typed.keyOf(row), row);
        count++;
      }
    }
    hand();
    return count;
  }

  /** The time begins when the second request is answered. */
  private long emitReady() throws IOException, InterruptedException {
    TypedRows typed = typedRows();
    List<Struct> ready = new ArrayList<>();
    try (JsonParser json = new JsonFactory().createParser(open("?sample"))) {
      json.nextToken();
      while (json.nextToken() == JsonToken.START_OBJECT) {
        ready.add(typed.read(json));
      }
    }
    List<Struct> keys = ready.stream().map(typed::keyOf).toList();
    open("?empty").close();
    int count = Integer.parseInt(settings.get(ReferenceConnector.ROWS));
    for (int i = 0; i < count; i++) {
      emit(keys.get(i % keys.size()), ready.get(i % ready.size()));
    }
    hand();
    return count;
  }

  private long parse() throws IOException {
    long characters = 0;
    try (JsonParser json = new JsonFactory().createParser(open(""))) {
      for (JsonToken token = json.nextToken(); token != null; token = json.nextToken()) {
        characters += token.isScalarValue() ? json.getTextLength() : 0;
      }
    }
    if (characters == 0) {
      throw new IllegalStateException("the list is empty");
    }
    acknowledgedAt = System.currentTimeMillis();
    return 0;
  }

  private void emit(Struct key, Struct value) throws InterruptedException {
    batch.add(record(settings.get(ReferenceConnector.TOPIC), key, value, null));
    if (batch.size() == BATCH) {
      hand();
    }
  }

  private void hand() throws InterruptedException {
    batches.put(batch);
    batch = new ArrayList<>(BATCH);
  }

  private static SourceRecord record(String topic, Struct key, Struct value, Long timestamp) {
    return new SourceRecord(
        PARTITION,
        OFFSET,
        topic,
        null,
        key == null ? null : key.schema(),
        key,
        value == null ? Schema.STRING_SCHEMA : value.schema(),
        value == null ? "complete" : value,
        timestamp);
  }

  @Override
  public List<SourceRecord> poll() throws InterruptedException {
    if (failure != null) {
      throw new ConnectException(failure);
    }
    List<SourceRecord> next = batches.poll(rows < 0 ? 200 : 5, TimeUnit.MILLISECONDS);
    if (next == null && rows == acknowledged.get() && !marked) {
      marked = true;
      return List.of(record(settings.get(ReferenceConnector.MARKS), null, null, acknowledgedAt));
    }
    return next == null || next.isEmpty() ? null : next;
  }

  @Override
  public void commitRecord(SourceRecord record, RecordMetadata metadata) {
    acknowledgedAt = System.currentTimeMillis();
    acknowledged.incrementAndGet();
  }

  @Override
  public void stop() {
    reader.interrupt();
  }

  @Override
  public String version() {
    return "1";
  }
}
