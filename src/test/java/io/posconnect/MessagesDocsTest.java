package io.posconnect;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.Messages.Phrase;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/**
 * The README's messages are the code's. That the code says them when it should is for the tests of
 * each refusal, many of which ask {@link Messages#assertExplained} of what they provoked.
 */
class MessagesDocsTest {

  /** What Kafka says for us of a setting that has no value, or none of its type. */
  private static final Set<Phrase> KAFKAS =
      Set.of(new Phrase("Missing required configuration"), new Phrase("Invalid value"));

  private final List<Sentences> sentences;

  MessagesDocsTest() throws IOException {
    sentences = Sentences.all();
  }

  @Test
  void everyMessageOfTheCodeHasARow() {
    assertThat(sentences).hasSizeGreaterThan(100);
    assertThat(sentences)
        .as("messages that README.md, section Messages, does not explain")
        .filteredOn(sentence -> !Messages.explain(sentence.text()))
        .isEmpty();
  }

  @Test
  void everyRowIsOfAMessageThatTheCodeHas() {
    assertThat(Messages.phrases())
        .as("phrases of README.md, section Messages, that the code does not say")
        .filteredOn(phrase -> !KAFKAS.contains(phrase))
        .filteredOn(phrase -> sentences.stream().noneMatch(s -> phrase.isIn(s.text())))
        .isEmpty();
  }

  @Test
  void everyRowHasACauseAndARemedy() {
    assertThat(Messages.rows())
        .allSatisfy(
            row -> assertThat(row).hasSize(3).allSatisfy(cell -> assertThat(cell).isNotBlank()));
  }
}
