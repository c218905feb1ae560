package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class LazyOffsetTest {

  private final AtomicInteger encodings = new AtomicInteger();
  private final LazyOffset offset = lazy();

  @Test
  void isMadeWhenItsEntriesAreAskedForAndOnlyOnceAndNotToBePrinted() {
    assertThat(offset.toString()).isEqualTo("offset");
    assertThat(encodings).hasValue(0);
    assertThat(offset.get("digest")).isEqualTo("AQ");
    assertThat(offset.entrySet()).hasSize(1);
    assertThat(new HashMap<>(offset)).isEqualTo(Map.of("digest", "AQ"));
    assertThat(encodings).hasValue(1);
  }

  @Test
  void manyThreadsThatAskAtOnceMakeItOnce() throws Exception {
    int threads = 8;
    CyclicBarrier start = new CyclicBarrier(threads);
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try {
      for (Future<Object> answer :
          pool.invokeAll(
              IntStream.range(0, threads)
                  .<Callable<Object>>mapToObj(
                      i ->
                          () -> {
                            start.await();
                            return offset.get("digest");
                          })
                  .toList())) {
        assertThat(answer.get()).isEqualTo("AQ");
      }
    } finally {
      pool.shutdownNow();
    }
    assertThat(encodings).hasValue(1);
  }

  private LazyOffset lazy() {
    return new LazyOffset(
        () -> {
          encodings.incrementAndGet();
          return Map.of("digest", "AQ");
        });
  }
}
