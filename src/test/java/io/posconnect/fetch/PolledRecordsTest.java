package io.posconnect.fetch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.posconnect.record.Commit;
import io.posconnect.record.TrackedRecord;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.data.SchemaBuilder;
import org.apache.kafka.connect.data.Struct;
import org.apache.kafka.connect.header.ConnectHeaders;
import org.apache.kafka.connect.source.SourceRecord;
import org.junit.jupiter.api.Test;

final class PolledRecordsTest {

  private final List<String> acknowledged = new ArrayList<>();
  private final PolledRecords polled = new PolledRecords();

  private static SourceRecord record(Commit commit) {
    Struct key = new Struct(SchemaBuilder.struct().build());
    return new TrackedRecord(commit, "topic", key, null, 0, new ConnectHeaders());
  }

  private SourceRecord record(String name) {
    return record(commit(name));
  }

  private Commit commit(String name) {
    return new Commit(
        Map.of(),
        Map.of(),
        written -> acknowledged.add(name + (written ? " written" : " dropped")));
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
  void releasesRecordsOfOneOffsetSeparately() {
    Commit commit = commit("a");
    SourceRecord one = record(commit);
    SourceRecord other = record(commit);
    polled.add(List.of(one, other));

    polled.acknowledged(one, true);
    polled.acknowledged(one, true);
    assertThat(acknowledged).containsExactly("a written");

    polled.acknowledged(other, true);
    assertThat(acknowledged).hasSize(2);
  }

  @Test
  void forgetsBatchesThatAreDoneUnderAtLeastOnce() {
    List<WeakReference<SourceRecord>> seen = new ArrayList<>();
    for (int poll = 0; poll < 100; poll++) {
      SourceRecord record = record("a");
      seen.add(new WeakReference<>(record));
      polled.add(List.of(record));
      polled.acknowledged(record, true);
    }
    await()
        .untilAsserted(
            () -> {
              System.gc();
              assertThat(seen.stream().filter(each -> each.get() != null)).hasSizeLessThan(5);
            });
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
