package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.resource.Stream;
import java.util.List;
import java.util.Map;
import org.apache.kafka.connect.errors.ConnectException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StreamPartitionTest {

  private static final Stream STREAM = new Stream("downtown", "products");

  @Test
  void aPositionAndABucketAreMapsOfOneEntry() {
    assertThat(StreamPartition.position(STREAM).toMap())
        .isEqualTo(Map.of("stream", "downtown/products"));
    assertThat(StreamPartition.bucket(STREAM, 64, 17).toMap())
        .isEqualTo(Map.of("stream", "downtown/products/64/17"));
  }

  @Test
  void alwaysGivesTheSameImmutableMap() {
    StreamPartition partition = StreamPartition.bucket(STREAM, 64, 17);

    assertThat(partition.toMap()).isSameAs(partition.toMap());
    assertThatThrownBy(() -> partition.toMap().put("a", "b"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void isReadBackFromItsMap() {
    List<StreamPartition> all = StreamPartition.buckets(STREAM, 3);
    assertThat(all).hasSize(3);
    for (StreamPartition partition : all) {
      assertThat(StreamPartition.parse(partition.toMap()))
          .isEqualTo(partition)
          .hasSameHashCodeAs(partition);
    }
    StreamPartition position = StreamPartition.parse(Map.of("stream", "downtown/products"));
    assertThat(position.isPosition()).isTrue();
    assertThat(position.stream()).isEqualTo(STREAM);
    assertThat(all.get(2).isPosition()).isFalse();
    assertThat(all.get(2).buckets()).isEqualTo(3);
    assertThat(all.get(2).bucket()).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "downtown",
        "downtown/",
        "/products",
        "a/b/c",
        "a/b/64",
        "a/b/64/64",
        "a/b/0/0",
        "a/b/064/1",
        "a/b/64/-1",
        "a/b/64/1/2",
        "a/b/99999999999/1",
        "a/b/+64/1"
      })
  void anyOtherTextIsRefusedWithWhatIsExpected(String text) {
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> StreamPartition.parse(Map.of("stream", text)))
        .withMessageContaining("{\"stream\": \"<location>/<resource>\"}");
  }

  @Test
  void anyOtherMapIsRefused() {
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> StreamPartition.parse(Map.of("stream", 7)));
    assertThatExceptionOfType(ConnectException.class)
        .isThrownBy(() -> StreamPartition.parse(Map.of("stream", "a/b", "more", "x")));
    assertThatExceptionOfType(ConnectException.class).isThrownBy(() -> StreamPartition.parse(null));
  }

  @Test
  void aSlashInANameIsRefusedSinceItCouldNotBeReadBack() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> StreamPartition.position(new Stream("down/town", "products")));
  }
}
