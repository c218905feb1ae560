package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.record.DeclaredSchemas;
import java.util.List;
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
    assertThat(
            names(
                "extra",
                "Location",
                "occurrence",
                "order",
                "USER",
                "comment",
                "order_value",
                "variant"))
        .containsExactly(
            "extra_value",
            "Location_value",
            "occurrence_value",
            "order_value_2",
            "USER_value",
            "comment_value",
            "order_value",
            "variant_value");
  }
}
