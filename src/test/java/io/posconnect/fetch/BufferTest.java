package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import io.posconnect.fetch.Buffer.StoppedException;
import io.posconnect.fetch.Buffer.Unit;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.apache.kafka.connect.source.SourceRecord;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class BufferTest {

  private static final Duration PATIENCE = Duration.ofSeconds(10);

  private final AtomicReference<Thread> putter = new AtomicReference<>();
  private Buffer buffer = new Buffer(100, 100, false);

  @AfterEach
  void close() {
    buffer.close();
  }

  private static Unit unit(long bytes, int records) {
    return new Unit(IntStream.range(0, records).mapToObj(i -> record()).toList(), bytes);
  }

  private static SourceRecord record() {
    return new SourceRecord(Map.of(), Map.of(), "topic", null, null);
  }

  /** Puts on a thread of its own, as fetch threads do. */
  private CompletableFuture<Void> put(Unit unit) {
    putter.set(null);
    return CompletableFuture.runAsync(
        () -> {
          putter.set(Thread.currentThread());
          try {
            buffer.put(unit);
          } catch (InterruptedException e) {
            throw new CompletionException(e);
          }
        });
  }

  private void awaitBlocked(CompletableFuture<Void> put) {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> putter.get() != null && putter.get().getState() == Thread.State.WAITING);
    assertThat(put).isNotDone();
  }

  private List<SourceRecord> drain() throws InterruptedException {
    return buffer.drain(10, PATIENCE);
  }

  @Test
  void drainedRecordsMakeRoomAtOnceWithExactlyOnce() throws InterruptedException {
    buffer.put(unit(90, 1));
    CompletableFuture<Void> second = put(unit(90, 1));
    awaitBlocked(second);

    assertThat(drain()).hasSize(1);

    second.join();
    assertThat(buffer.use().bytes()).isEqualTo(90);
  }

  @Test
  void drainedRecordsCountUntilWrittenWithAtLeastOnce() throws InterruptedException {
    buffer = new Buffer(100, 100, true);
    buffer.put(unit(90, 2));
    drain();
    CompletableFuture<Void> second = put(unit(90, 1));
    awaitBlocked(second);
    assertThat(buffer.use().bytes()).isEqualTo(90);

    buffer.written(45);
    awaitBlocked(second);
    buffer.written(45);

    second.join();
    assertThat(buffer.use().bytes()).isEqualTo(90);
  }

  @Test
  void goesOnWhenAnEighthIsFreeWithAtLeastOnce() throws InterruptedException {
    buffer = new Buffer(100, 100, true);
    buffer.put(unit(100, 10));
    drain();
    CompletableFuture<Void> second = put(unit(10, 1));
    awaitBlocked(second);

    buffer.written(10);
    awaitBlocked(second);
    buffer.written(10);

    second.join();
    assertThat(buffer.use().bytes()).isEqualTo(90);
  }

  @Test
  void fillsNoBatchWhileFetchWaitsForRoom() throws InterruptedException {
    Duration endless = Duration.ofHours(1);
    buffer = new Buffer(100, 100, false, endless);
    buffer.put(unit(90, 1));
    CompletableFuture<List<SourceRecord>> batch = drain(endless);
    CompletableFuture<Void> second = put(unit(90, 1));

    assertThat(batch).succeedsWithin(PATIENCE).asInstanceOf(LIST).hasSize(1);
    assertThat(second).succeedsWithin(PATIENCE);
    second = put(unit(90, 1));
    awaitBlocked(second);
    assertThat(drain(endless)).succeedsWithin(PATIENCE).asInstanceOf(LIST).hasSize(1);
  }

  private CompletableFuture<List<SourceRecord>> drain(Duration wait) {
    return CompletableFuture.supplyAsync(
        () -> {
          try {
            return buffer.drain(10, wait);
          } catch (InterruptedException e) {
            throw new CompletionException(e);
          }
        });
  }

  @Test
  void acceptsRecordsLargerThanBufferWhenEmpty() throws InterruptedException {
    buffer = new Buffer(100, 100, true);
    buffer.put(unit(1_000, 1));
    drain();
    buffer.written(1_000);

    buffer.put(unit(1_000, 1));

    assertThat(drain()).hasSize(1);
  }

  @Test
  void noRowOvertakesALargeOneThatWaits() throws InterruptedException {
    buffer = new Buffer(100, 100, true);
    buffer.put(unit(60, 1));
    CompletableFuture<Void> large = put(unit(80, 1));
    awaitBlocked(large);

    CompletableFuture<Void> small = put(unit(30, 1));
    awaitBlocked(small);
    assertThat(drain()).hasSize(1);
    buffer.written(60);

    assertThat(large).succeedsWithin(PATIENCE);
    awaitBlocked(small);
    assertThat(drain()).hasSize(1);
    buffer.written(80);
    assertThat(small).succeedsWithin(PATIENCE);
  }

  @Test
  void checkpointsNeverWait() throws InterruptedException {
    buffer.put(unit(100, 1));
    buffer.putNow(record());

    assertThat(drain()).hasSize(2);
  }

  @Test
  void drainsRecordsOfOneChangeTogether() throws InterruptedException {
    buffer.put(unit(10, 2));
    buffer.put(unit(10, 2));

    assertThat(buffer.drain(3, PATIENCE)).hasSize(2);
    assertThat(buffer.drain(3, PATIENCE)).hasSize(2);
  }

  @Test
  void closeWakesWaitingThread() throws InterruptedException {
    buffer.put(unit(90, 1));
    CompletableFuture<Void> second = put(unit(90, 1));
    awaitBlocked(second);

    buffer.close();

    assertThatThrownBy(second::join).hasCauseInstanceOf(StoppedException.class);
    buffer.putNow(record()); // by a thread of Connect, which must not fail
    assertThat(buffer.drain(10, PATIENCE)).isEmpty();
  }

  @Test
  void countsBlockedTimeWhileThreadWaits() throws InterruptedException {
    buffer.put(unit(90, 1));
    assertThat(buffer.use().blockedMs()).isZero();
    CompletableFuture<Void> second = put(unit(90, 1));
    awaitBlocked(second);

    Awaitility.await().atMost(PATIENCE).until(() -> buffer.use().blockedMs() > 50);
    long known = buffer.use().blockedMs();
    drain();
    second.join();

    long after = buffer.use().blockedMs();
    assertThat(after).isGreaterThanOrEqualTo(known);
    assertThat(drain()).hasSize(1);
    assertThat(buffer.use().blockedMs()).as("no longer").isEqualTo(after);
  }

  @Test
  void reportsFailureBeforeEarlierRecords() throws InterruptedException {
    buffer.put(unit(10, 1));
    buffer.fail(new IllegalStateException("first"));
    buffer.fail(new IllegalStateException("second"));

    assertThatThrownBy(this::drain).hasMessage("first");
  }

  @Test
  void aFailureEndsTheWaitForAFullBatch() throws InterruptedException {
    buffer = new Buffer(100, 100, false, PATIENCE);
    buffer.put(unit(10, 1));
    CompletableFuture<Void> failed =
        CompletableFuture.runAsync(
            () -> {
              buffer.fail(new IllegalStateException("broken"));
              buffer.putNow(record());
            },
            CompletableFuture.delayedExecutor(50, TimeUnit.MILLISECONDS));

    assertThatThrownBy(() -> buffer.drain(10, PATIENCE)).hasMessage("broken");
    failed.join();
  }

  @Test
  void reportsAnErrorAsTheCause() {
    OutOfMemoryError error = new OutOfMemoryError("Java heap space");
    buffer.fail(error);

    assertThatThrownBy(this::drain).isInstanceOf(IllegalStateException.class).hasCause(error);
  }
}
