package io.posconnect.simulator;

import static io.posconnect.simulator.FieldWriter.createdAmerican;
import static io.posconnect.simulator.FieldWriter.createdUtc;
import static io.posconnect.simulator.FieldWriter.decimal;
import static io.posconnect.simulator.FieldWriter.fixed;
import static io.posconnect.simulator.FieldWriter.flag;
import static io.posconnect.simulator.FieldWriter.link;
import static io.posconnect.simulator.FieldWriter.nothing;
import static io.posconnect.simulator.FieldWriter.object;
import static io.posconnect.simulator.FieldWriter.objects;
import static io.posconnect.simulator.FieldWriter.oneOf;
import static io.posconnect.simulator.FieldWriter.rareDate;
import static io.posconnect.simulator.FieldWriter.tags;
import static io.posconnect.simulator.FieldWriter.utc;
import static io.posconnect.simulator.FieldWriter.whole;
import static io.posconnect.simulator.FieldWriter.words;
import static io.posconnect.simulator.FieldWriter.wordsOrNothing;

import io.posconnect.simulator.RowTemplate.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;

/** The rows of each resource: the published fields first, then many that are not published. */
final class Templates {

  private Templates() {}

  static RowTemplate of(String resource, int locationNumber) {
    return switch (resource) {
      case SimulatedLocation.PRODUCTS -> products();
      case SimulatedLocation.CUSTOMERS -> customers();
      case SimulatedLocation.REGISTER_TRANSACTIONS -> registerTransactions();
      case SimulatedLocation.INVENTORY -> inventory();
      case SimulatedLocation.LOYALTY -> loyalty(locationNumber);
      default -> other();
    };
  }

  private static RowTemplate products() {
    return shown(
        "productId",
        "lastModifiedDateUTC",
        List.of(
            steady("name", words()),
            lively("price", decimal()),
            steady("sku", oneOf("00012", "A-77", "12.50", "0e3")),
            steady("categoryId", whole(40)),
            steady("category", words()),
            steady("brand", object()),
            steady("tags", tags()),
            steady("images", objects()),
            lively("onlineAvailable", flag()),
            steady("effects", nothing()),
            steady("expires", rareDate())),
        52);
  }

  private static RowTemplate customers() {
    return shown(
        "customerID",
        "lastModifiedDateUTC",
        List.of(
            steady("firstName", oneOf("Zoë", "José", "Anna", "李", "Søren", "")),
            steady("lastName", words()),
            lively("emailAddress", words()),
            steady("dateOfBirth", rareDate()),
            steady("address", object()),
            steady("discountGroups", tags()),
            lively("loyaltyPoints", decimal())),
        28);
  }

  private static RowTemplate registerTransactions() {
    FieldWriter sale =
        (json, choices) -> {
          if (choices.below(8) == 0) {
            json.writeNull();
          } else {
            json.writeNumber(1_000_000 + choices.row().id());
          }
        };
    return new RowTemplate(
        Optional.of("registerTransactionId"),
        Optional.empty(),
        Optional.of("revision"),
        List.of(
            steady("transactionId", sale),
            steady("customerId", link()),
            steady("registerId", whole(6)),
            steady("transactionType", oneOf("Sale", "Return", "Drop", "NoSale")),
            steady("transactionDate", createdAmerican()),
            steady("transactionDateUtc", createdUtc()),
            lively("total", decimal()),
            lively("tax", decimal()),
            lively("isVoid", flag()),
            steady("items", objects()),
            steady("payments", objects()),
            steady("adjustment", nothing()),
            steady("comment", wordsOrNothing())));
  }

  private static RowTemplate inventory() {
    return shown(
        "inventoryId",
        "lastModifiedDateUtc",
        List.of(
            steady("productId", link()),
            lively("quantityAvailable", decimal()),
            steady("unitCost", decimal()),
            steady("batch", words()),
            steady("room", object()),
            steady("expirationDate", rareDate())),
        45);
  }

  /** Exactly the published fields: no id, no time of modification, no revision. */
  private static RowTemplate loyalty(int locationNumber) {
    FieldWriter lsp = (json, choices) -> json.writeNumber(700);
    FieldWriter location = (json, choices) -> json.writeNumber(locationNumber);
    return new RowTemplate(
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        List.of(
            steady("lspId", lsp),
            steady("locId", location),
            steady("customerId", whole(500)),
            steady("transactionType", oneOf("Accrual", "Redemption", "Adjustment")),
            steady("transactionDateUtc", createdUtc()),
            lively("points", decimal()),
            steady("adjustmentReason", wordsOrNothing()),
            lively("comment", words()),
            steady("registerTransactionId", link())));
  }

  /** A resource that only a test's own endpoint serves. */
  private static RowTemplate other() {
    return shown(
        "id",
        "lastModifiedDateUTC",
        List.of(steady("name", words()), lively("value", decimal())),
        3);
  }

  /** The single row of a key's own location. */
  static RowTemplate location(int locationNumber) {
    return new RowTemplate(
        Optional.empty(),
        Optional.empty(),
        Optional.of("Revision"),
        List.of(
            steady("LocationName", fixed("Store No. " + locationNumber)),
            lively("Address", words()),
            steady("LspName", fixed("Söhne & Co.")),
            steady("LocationId", (json, choices) -> json.writeNumber(locationNumber)),
            steady("TimeZone", fixed("America/Denver")),
            steady("License", wordsOrNothing())));
  }

  private static RowTemplate shown(
      String keyField, String modifiedField, List<Field> named, int others) {
    List<Field> fields = new ArrayList<>(named);
    fields.addAll(unpublished(others));
    return new RowTemplate(
        Optional.of(keyField), Optional.of(modifiedField), Optional.of("revision"), fields);
  }

  private static List<Field> unpublished(int count) {
    List<FieldWriter> kinds =
        List.of(
            wordsOrNothing(), decimal(), whole(1000), flag(), utc(), rareDate(), nothing(), tags());
    List<String> subjects =
        List.of("note", "weight", "rank", "hidden", "reviewedAt", "expiredOn", "legacy", "aliases");
    return IntStream.range(0, count)
        .mapToObj(
            i ->
                steady(
                    subjects.get(i % subjects.size()) + (1 + i / subjects.size()),
                    kinds.get(i % kinds.size())))
        .toList();
  }

  private static Field steady(String name, FieldWriter writer) {
    return new Field(name, writer, false);
  }

  private static Field lively(String name, FieldWriter writer) {
    return new Field(name, writer, true);
  }
}
