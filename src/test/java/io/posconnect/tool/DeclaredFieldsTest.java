package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.record.DeclaredSchemas;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

class DeclaredFieldsTest {

  private static final String DECLARED =
      """
      {"type":"record","name":"Thing","fields":[
       {"name":"thingId","type":"long"},
       {"name":"price_eur","aliases":["price (€)"],"type":"string"}]}\
      """;

  private static List<String> names(String... services) {
    DeclaredFields declared = new DeclaredFields(DeclaredSchemas.parse(DECLARED));
    DeclaredFields.Names names = declared.new Names(List.of(services));
    return List.of(services).stream().map(names::of).toList();
  }

  @Test
  void findsFieldByEveryNameOfTheService() {
    DeclaredFields declared = new DeclaredFields(DeclaredSchemas.parse(DECLARED));

    assertThat(declared.find("THINGID")).isPresent();
    assertThat(declared.find("Price (€)")).isPresent();
    assertThat(declared.find("price")).isEmpty();
  }

  @Test
  void givesEachFieldItsOwnName() {
    assertThat(names("name", "a-b", "a_b", "a.b", "1st", "", "naïve"))
        .containsExactly("name", "a_b_2", "a_b", "a_b_3", "_1st", "_", "na_ve");
    assertThat(names("Price-eur", "THING-ID")).containsExactly("Price_eur_2", "THING_ID");
  }

  @Test
  void avoidsReservedWordsAndTheConnectorsNames() {
    assertThat(names("extra", "Location", "occurrence", "order", "USER", "comment", "order_value"))
        .containsExactly(
            "extra_value",
            "Location_value",
            "occurrence_value",
            "order_value_2",
            "USER_value",
            "comment_value",
            "order_value");
  }

  @Test
  void listsTheReservedWordsOfBothDatabases() throws IOException {
    Set<String> expected = new TreeSet<>(Set.of("variant"));
    for (String database : List.of("postgresql", "oracle")) {
      expected.addAll(
          words("src/test/resources/io/posconnect/record/reserved-" + database + ".txt"));
    }

    assertThat(words("src/main/resources/io/posconnect/tool/reserved-words.txt"))
        .containsExactlyElementsOf(expected);
  }

  private static List<String> words(String file) throws IOException {
    return Files.readAllLines(Path.of(file)).stream().filter(l -> !l.startsWith("#")).toList();
  }
}
