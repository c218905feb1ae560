package io.posconnect.offset;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
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
  void aPositionAndASlotAreEqualImmutableMapsOfOneEntry() {
    assertThat(StreamPartition.position(STREAM).toMap())
        .isEqualTo(Map.of("stream", "downtown/products"));
    StreamPartition slot = StreamPartition.slot(STREAM, 17);
    assertThat(slot.toMap())
        .isEqualTo(Map.of("stream", "downtown/products/17"))
        .isEqualTo(slot.toMap());
    assertThatThrownBy(() -> slot.toMap().put("a", "b"))
        .isInstanceOf(UnsupportedOperationException.class);
  }

  @Test
  void isReadBackFromItsMap() {
    for (int slot : List.of(0, 9, 10, 999_999_999)) {
      StreamPartition partition = StreamPartition.slot(STREAM, slot);
      assertThat(StreamPartition.parse(partition.toMap()))
          .isEqualTo(partition)
          .hasSameHashCodeAs(partition);
      assertThat(partition.isPosition()).isFalse();
      assertThat(partition.stream()).isEqualTo(STREAM);
    }
    StreamPartition position = StreamPartition.parse(Map.of("stream", "downtown/products"));
    assertThat(position.isPosition()).isTrue();
    assertThat(position.stream()).isEqualTo(STREAM);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "", "downtown", "downtown/", "/products", "a/b/c", "a/b/",
        "a/b/64/1", "a/b/064", "a/b/00", "a/b/-1", "a/b/+64", "a/b/9999999999"
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
}
