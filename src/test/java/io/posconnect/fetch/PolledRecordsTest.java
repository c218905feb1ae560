package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.offset.LazyOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

final class PolledRecordsTest {

  private final List<String> acknowledged = new ArrayList<>();
  private final PolledRecords polled = new PolledRecords();

  private SourceRecord record(String name) {
    return new SourceRecord(Map.of(), offset(name), "topic", null, null);
  }

  private LazyOffset offset(String name) {
    return new LazyOffset(
        written -> acknowledged.add(name + (written ? " written" : " dropped")), Map::of);
  }

  @Test
  void releasesBatchThatWasDroppedWhole() {
    polled.add(List.of(record("a")));
    polled.add(List.of());

    polled.committed();

    assertThat(acknowledged).containsExactly("a dropped");
  }

  @Test
  void awaitsLatestBatchSinceAPauseCommitsPartOfIt() {
    SourceRecord rest = record("rest");
    polled.add(List.of(rest));

    polled.committed();
    assertThat(acknowledged).isEmpty();

    polled.acknowledged(rest, true);
    assertThat(acknowledged).containsExactly("rest written");
  }

  @Test
  void releasesDroppedRecordOnce() {
    SourceRecord dropped = record("a");
    polled.add(List.of(dropped));
    polled.add(List.of());
    polled.committed();

    polled.acknowledged(dropped, false);
    polled.committed();

    assertThat(acknowledged).containsExactly("a dropped");
  }

  @Test
  void releasesEqualRecordsSeparately() {
    LazyOffset offset = offset("a");
    SourceRecord one = new SourceRecord(Map.of(), offset, "topic", null, null);
    SourceRecord other = new SourceRecord(Map.of(), offset, "topic", null, null);
    assertThat(one).isEqualTo(other);
    polled.add(List.of(one, other));

    polled.acknowledged(one, true);
    polled.acknowledged(one, true);
    assertThat(acknowledged).containsExactly("a written");

    polled.acknowledged(other, true);
    assertThat(acknowledged).hasSize(2);
  }

  @Test
  void commitOnAnotherThreadProvesNothing() throws InterruptedException {
    SourceRecord late = record("late");
    polled.add(List.of(late));
    polled.add(List.of());

    Thread committer = new Thread(polled::committed, "committer");
    committer.start();
    committer.join();
    assertThat(acknowledged).isEmpty();

    polled.acknowledged(late, true);
    assertThat(acknowledged).containsExactly("late written");
  }
}
