package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Retrieval.Full;
import io.posconnect.resource.Retrieval.ModifiedSince;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A row that is mended and breaks again is a dead letter again, even with the same text. */
class MendedRowsTest {

  private static final String BROKEN = row(1, "x".repeat(1_000_000));

  private String shown = row(1, "a");

  @Test
  void sameTextIsADeadLetterEachTimeItBreaks() {
    for (Retrieval retrieval : List.of(new Full(false), new ModifiedSince("from"))) {
      shown = row(1, "a");
      DrivenStream stream =
          new DrivenStream(retrieval, request -> Answer.of(List.of(shown, row(2, "b")))).start();
      stream.requests(2);

      shown = BROKEN;
      stream.requests(3);
      assertThat(stream.deadLetters()).as("broken, %s", retrieval).hasSize(1);

      shown = row(1, "a");
      stream.requests(3);
      shown = BROKEN;
      stream.requests(3);
      assertThat(stream.deadLetters()).as("broken again, %s", retrieval).hasSize(2);
      assertThat(stream.events()).hasSize(2);
    }
  }
}
