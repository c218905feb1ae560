package io.posconnect.tool;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.record.DeclaredType;
import io.posconnect.simulator.Endpoint;
import io.posconnect.simulator.Endpoint.Permission;
import io.posconnect.simulator.Endpoint.Style;
import io.posconnect.simulator.Fault;
import io.posconnect.simulator.SimulatedLocation;
import io.posconnect.simulator.SimulatedLocation.InitialRows;
import io.posconnect.simulator.Simulator;
import io.posconnect.simulator.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.apache.avro.Schema;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

class DiscoverTest {

  private static final String KEY = "a-key-that-is-never-shown";
  private static final String RESOURCES =
      "products,customers,register-transactions,inventory,locations,loyalty-transactions";

  @AutoClose
  private final Simulator service =
      Simulator.builder()
          .unlimited()
          .endpoint(new Endpoint("/things", "things", Style.FULL, Optional.empty(), 1_000_000))
          .start();

  private final SimulatedLocation location = service.location(KEY);
  @TempDir private Path folder;

  private Map<String, String> settings(String resources) {
    Map<String, String> settings = Run.settings(service.baseUrl(), KEY);
    settings.put("resources", resources);
    for (String resource : resources.split(",", -1)) {
      settings.put("resources." + resource + ".requests.per.minute", "60000");
    }
    if (resources.contains("loyalty")) {
      settings.put("resources.loyalty-transactions.path", Endpoint.LOYALTY);
    }
    return settings;
  }

  private Map<String, String> things() {
    Map<String, String> settings = Run.things(service.baseUrl(), KEY);
    settings.put("resources.things.requests.per.minute", "60000");
    return settings;
  }

  private Map<String, String> keyless() {
    Map<String, String> settings = things();
    settings.remove("resources.things.key.fields");
    return settings;
  }

  /** Creates so many things, of a text with their number. */
  private void things(int rows, String form) {
    for (int i = 1; i <= rows; i++) {
      location.table("things").createRaw(form.formatted(i));
    }
  }

  private Run discover(Map<String, String> settings, Object... options) {
    Run run = Run.of("discover", Run.file(folder, settings), options);
    assertThat(run.all()).doesNotContain(KEY);
    return run;
  }

  private Path out() {
    return folder.resolve("typed");
  }

  /** Discovers with the configuration that was proposed. */
  private Run again(Object... more) {
    Object[] arguments = {"discover", out().resolve("pos.json"), "--set", "api.key=" + KEY};
    return Run.of(Stream.concat(Stream.of(arguments), Stream.of(more)).toArray());
  }

  private Schema schema(String resource) throws IOException {
    return new Schema.Parser().parse(Files.readString(out().resolve(resource + ".avsc")));
  }

  @Test
  void refusesAFolderThatCannotBeWrittenBeforeItAsksTheService() throws IOException {
    Files.createFile(out());
    Run run = discover(things(), "--out", out());
    assertThat(run.err()).contains("--out " + out() + " cannot be written");
    assertThat(run.code()).isEqualTo(3);
    assertThat(service.requests()).isEmpty();
  }

  @Test
  void typesEveryFieldOfEveryResource() throws IOException {
    service.fill(location, new InitialRows(300, 200, 200, Duration.ofDays(3), 200, 60));
    Run run = discover(settings(RESOURCES), "--out", out()).ending(0);
    assertThat(run.text()).contains("the proposal types all sampled rows");
    assertThat(run.row("productId")).contains("long", "100 %");
    assertThat(run.row("weight1")).contains("decimal(38,9)", "2 behind it");
    assertThat(run.row("sku")).contains("string", "leading zeros", "like 1e5");
    assertThat(run.row("brand")).contains("json", "{4}");
    assertThat(run.row("effects")).contains("json", "always null");
    assertThat(run.row("transactionDate")).contains("timestamp-millis", "MM/dd/yyyy");
    assertThat(run.row("expires"))
        .contains("string", "CONFLICT", "stand for no date", "blank or N/A");
    assertThat(run.row("reviewedAt1")).contains("string", "finer than a microsecond");
    assertThat(run.text()).contains("Key: productId differs in all 300 rows");
    assertThat(run.err()).doesNotContain("\r").doesNotContain("\u001b");
    assertThat(schema("products").getName()).isEqualTo("Product");

    Path typed = out().resolve("pos.json");
    Run.of("check", typed, "--set", "api.key=" + KEY).ending(0);
    assertThat(Files.readString(typed)).doesNotContain(KEY);
    assertThat(run.text()).contains("The file itself contains the secret of api.key");

    Run again = again("--out", out()).ending(0);
    assertThat(again.out().lines().filter(line -> line.contains("adds 0 fields"))).hasSize(6);
  }

  @Test
  void showsNoSecretOfWhatElseTheConfigurationConfigures() throws IOException {
    location.table("things").createRaw("{\"id\":1}");
    Map<String, String> settings = things();
    Map<String, String> secrets =
        Map.of(
            "value.converter.basic.auth.user.info", "pos:for-the-registry",
            "key.converter.bearer.auth.token", "token-of-the-registry",
            "value.converter.apicurio.auth.client.secret", "secret-of-the-client",
            "value.converter.schema.registry.url", "https://pos:in-an-address@registry.example",
            "producer.override.sasl.jaas.config", "PlainLoginModule password=\"of-kafka\";",
            "producer.override.ssl.keystore.password", "of-the-key-store");
    settings.putAll(secrets);
    settings.put("value.converter.basic.auth.credentials.source", "USER_INFO");

    Run run = discover(settings, "--out", out());
    String printed = discover(settings).all();

    String written = Files.readString(out().resolve("pos.json"));
    assertThat(run.all() + printed + written)
        .doesNotContain("for-the-registry", "token-of", "secret-of", "in-an-address", "of-kafka")
        .doesNotContain("of-the-key-store");
    Map<String, String> proposed = ConnectorConfig.read(out().resolve("pos.json")).given();
    assertThat(secrets.keySet())
        .allSatisfy(name -> assertThat(proposed.get(name)).startsWith("${file:"));
    assertThat(proposed)
        .containsEntry("value.converter.basic.auth.credentials.source", "USER_INFO");
  }

  @Test
  void reportsChangesOfLaterDataAndKeepsDeclaredTypes() throws IOException {
    Table things = location.table("things");
    things(20, "{\"id\":%d,\"amount\":%1$d,\"note\":null}");
    assertThat(discover(things(), "--out", out()).code()).isZero();
    things.createRaw("{\"id\":21,\"amount\":10.5,\"note\":\"x\",\"added\":true}");

    Run later = again("--out", folder.resolve("later")).ending(ExitCode.FOUND.number);
    assertThat(later.row("amount")).contains("long", "CONFLICT: 1 of 21 values", "decimal(38,9)");
    assertThat(later.row("note")).contains("json", "would be string by now");
    assertThat(later.text()).contains("adds 1 field, all optional: compatible", "Added: added");
    Schema before = schema("things");
    Schema after = new Schema.Parser().parse(Files.readString(folder.resolve("later/things.avsc")));
    assertThat(after.getFields()).startsWith(before.getFields().toArray(Schema.Field[]::new));
    assertThat(after.getField("added")).isNotNull();
  }

  @Test
  void keepsTheOtherContractsOfEarlierResult() throws IOException {
    service.fill(location, new InitialRows(60, 60, 0, Duration.ofDays(1), 0, 0));
    Map<String, String> settings = settings("products,customers");
    assertThat(discover(settings, "--out", out()).code()).isZero();
    Path typed = out().resolve("pos.json");
    Map<String, String> before = ConnectorConfig.read(typed).given();

    Path later = folder.resolve("later");
    again("--resource", "products", "--out", later).ending(0);
    assertThat(ConnectorConfig.read(later.resolve("pos.json")).given())
        .containsKeys("resources.products.schema", "resources.customers.schema")
        .isEqualTo(before);
  }

  @Test
  void endsWithWhatToDoNext() {
    service.fill(location, new InitialRows(60, 0, 0, Duration.ofDays(1), 0, 0));

    Run printed = discover(settings("products"));
    assertThat(printed.text())
        .contains("the proposal types all sampled rows", "Next: run the command again with --out");
    Run written = discover(settings("products"), "--out", out());
    assertThat(written.out().stripTrailing())
        .endsWith("pos-tool check " + out().resolve("pos.json"));
    assertThat(written.tooWide()).allMatch(line -> line.contains(out().toString()));
  }

  @Test
  void namesTheWrittenConfigurationInTheNextCommand() throws IOException {
    service.fill(location, new InitialRows(60, 0, 0, Duration.ofDays(1), 0, 0));
    Path file = Run.file(folder, settings("products"));
    String named = Files.readString(file).replace("\"name\":\"pos\"", "\"name\":\"shops east 1\"");
    Path out = folder.resolve("typed rows");

    Run run = Run.of("discover", Files.writeString(file, named), "--out", out);

    Path written = out.resolve("shops_east_1.json");
    assertThat(written).exists();
    assertThat(run.out().stripTrailing()).endsWith("pos-tool check '" + written + "'");

    Files.move(file, folder.resolve("shops_east_1.json"));
    Path link = Files.createSymbolicLink(folder.resolve("link"), folder);
    Run refused = Run.of("discover", folder.resolve("shops_east_1.json"), "--out", link);
    assertThat(refused.ending(2).text()).contains("would replace the only file");
    assertThat(folder.resolve("shops_east_1.json")).hasContent(named);
  }

  @ParameterizedTest
  @ValueSource(strings = {"item,no", "item|no", "item?", " item ", "", "${env:HOME}"})
  void proposesNoKeyThatTheSettingCannotName(String name) throws IOException {
    location.table("things").createRaw("{\"%s\":1}".formatted(name));
    location.table("things").createRaw("{\"%s\":2}".formatted(name));
    discover(keyless(), "--out", out());
    assertThat(Files.readString(out().resolve("pos.json"))).doesNotContain("key.fields");
  }

  @Test
  void leavesNamesThatWorkerWouldResolveInExtra() throws IOException {
    location.table("things").createRaw("{\"id\":1,\"${env:HOME}\":1,\"${x\":2,\"$\":3}");
    Run run = discover(things(), "--out", out()).ending(0);
    assertThat(run.row("${env:HOME}")).contains("(extra)", "a reference to a secret");
    assertThat(schema("things").getFields()).extracting(Schema.Field::name).contains("_", "id");
    assertThat(schema("things").toString()).doesNotContain("${");
  }

  @Test
  void knowsOneFieldInBothFormsOfUnicode() {
    location.table("things").createRaw("{\"id\":1,\"caf\u00e9\":1}");
    location.table("things").createRaw("{\"id\":2,\"cafe\u0301\":2}");
    Run run = discover(things(), "--out", out()).ending(0);
    assertThat(run.row("caf\u00e9")).contains("long", "100 %");
    assertThat(again().code()).isZero();
  }

  @Test
  void skipsExcludedFieldsAndTypesHashedOnesAsText() throws IOException {
    things(20, "{\"id\":%d,\"phone\":555%1$d,\"home\":{\"street\":\"No. %1$d\",\"city\":\"x\"}}");
    Map<String, String> settings = things();
    settings.put("resources.things.exclude.fields", "home.street");
    settings.put("resources.things.hash.fields", "phone");
    settings.put("hash.salt", "a-salt-that-is-never-shown");
    Run run = discover(settings, "--out", out()).ending(0);
    assertThat(run.all()).doesNotContain("street").doesNotContain("never-shown");
    assertThat(run.row("phone")).contains("string").doesNotContain("555");
    assertThat(schema("things").toString()).doesNotContain("street").contains("\"phone\"");
    assertThat(Files.readString(out().resolve("pos.json")))
        .contains("\"resources.things.exclude.fields\" : \"home.street\"")
        .doesNotContain("never-shown");
  }

  @Test
  void countsOnlySignificantDigitsOfTimes() throws IOException {
    Table things = location.table("things");
    for (int i = 10; i <= 30; i++) {
      things.createRaw(
          ("{\"id\":%1$d,\"ms\":\"2024-01-01T00:00:00.1%1$d0000Z\",\"us\":\"2024-01-01T00:00:00.1234%1$d0Z\","
                  + "\"day\":\"2024-01-%1$dT00:00:00\",\"variant\":1}")
              .formatted(i));
    }
    Run run = discover(things(), "--out", out());

    assertThat(run.row("ms")).contains("timestamp-millis").doesNotContain("finer");
    assertThat(run.row("us")).contains("string", "21 finer than a millisecond", "declare them");
    assertThat(run.row("day")).contains("timestamp-millis", "always at midnight");
    assertThat(run.row("variant")).contains("is called variant_value");
    assertThat(schema("things").getField("id").aliases()).isEmpty();
    run = discover(things(), "--set", "resources.things.fields=us:timestamp-micros");
    assertThat(run.row("us"))
        .contains("timestamp-micros")
        .doesNotContain("CONFLICT", "declare them");
  }

  @Test
  void pointsAtFieldsThatLookPersonal() {
    things(
        20,
        "{\"id\":%d,\"E-Mail\":\"x\",\"note\":\"a.b@c.de\",\"call\":\"(555) 010-4477\",\"sku\":\"12-34\","
            + "\"hasPhone\":true,\"vip\":{\"FirstName\":\"x\",\"at\":[{\"street\":\"x\",\"n\":1}]},"
            + "\"phone\":5550100,\"birthDate\":null,\"dob\":\"1971-03-14\"}");
    Map<String, String> settings = things();
    settings.put("resources.things.exclude.fields", "dob,mail");
    settings.put("resources.things.hash.fields", "phone");
    settings.put("hash.salt", "a-salt-that-is-never-shown");
    Run run = discover(settings).ending(0);
    assertThat(run.text())
        .contains("Perhaps personal: call, E-Mail, note, vip.at.street, vip.FirstName. To exclude")
        .contains("POS-115 things: no sampled row has the field mail. Correct the path.");
    assertThat(run.out().lines())
        .contains(
            "    \"resources.things.exclude.fields\":"
                + " \"dob,mail,call,E-Mail,note,vip.at.street,vip.FirstName\"");
  }

  @Test
  void excludesPersonalFieldsInFormThatCheckAccepts() {
    Table things = location.table("things");
    things.createRaw("{\"email\":\"a@b.de\",\"Phone\":\"x\",\"at\":\"c.d@b.de\"}");
    things.createRaw("{\"email\":\"b@b.de\",\"phone\":\"x\",\"at\":{\"street\":\"x\"}}");
    Map<String, String> settings = keyless();
    Run run = discover(settings);

    assertThat(run.text()).contains("Key: email is proposed");
    assertThat(run.out().lines()).contains("    \"resources.things.exclude.fields\": \"at,Phone\"");
  }

  @Test
  void proposesNoDoubleThatDoesNotHoldEveryValue() {
    location.table("things").createRaw("{\"id\":1,\"rate\":0.12345678901234567891}");
    Map<String, String> settings = things();
    settings.put("decimal.handling.mode", "double");

    assertThat(discover(settings, "--out", out()).row("rate")).contains("string (scalar)");
    again().ending(0);
  }

  @Test
  void refusesNamesThatHaveNoStreamInCommon() {
    Map<String, String> settings = things();
    settings.put("locations", "airport,downtown");
    settings.put("locations.airport.api.key", "another-key");
    settings.put("locations.airport.resources", "products");
    Path file = Run.file(folder, settings);
    Object[] names = {"--location", "airport", "--resource", "things"};
    Object[] brokers = {"--location=airport", "--resource=things", "--bootstrap=127.0.0.1:1"};

    assertThat(List.of(Run.of("discover", file, names), Run.of("audit", file, brokers)))
        .allSatisfy(run -> assertThat(run.code()).isEqualTo(ExitCode.UNREADABLE.number))
        .allSatisfy(run -> assertThat(run.text()).contains("--location airport: it has none of"));
  }

  @Test
  void findsTheKeyOfResourceWithoutKey() throws IOException {
    Table things = location.table("things");
    for (int i = 1; i <= 30; i++) {
      things.createRaw(
          "{\"kind\":%d,\"thingNo\":\"T-%d\",\"thingId\":%d,\"at\":\"2024-01-01T00:00:%02d\"}"
              .formatted(i % 3, i, 1000 + i, i));
    }
    Map<String, String> settings = keyless();
    Run run = discover(settings, "--out", out()).ending(0);
    assertThat(run.text())
        .contains("Key: thingId is proposed; it differs in all 30 rows", "different in all rows: ")
        .doesNotContain("different in all rows: kind");
    assertThat(DeclaredType.withoutNull(schema("things").getField("thingId").schema()).getType())
        .isEqualTo(Schema.Type.LONG);
    assertThat(Files.readString(out().resolve("pos.json")))
        .contains("\"resources.things.key.fields\" : \"thingId\"");
  }

  @ParameterizedTest
  @CsvSource({"schema", "schema.file", "fields"})
  void findsTheKeyOfResourceThatIsDeclaredWithoutKey(String setting) throws IOException {
    things(30, "{\"thingId\":%d,\"id\":{},\"amount\":9.5,\"no\":%1$d}");
    String schema =
        """
        {"type":"record","name":"Thing","fields":[
         {"name":"amount","type":["null",{"type":"bytes","logicalType":"decimal","precision":9,
          "scale":2}],"default":null}]}""";
    Path file = Files.writeString(folder.resolve("things.avsc"), schema);
    Map<String, String> values =
        Map.of(
            "schema",
            schema,
            "schema.file",
            file.toString(),
            "fields",
            "amount:decimal(2),id:json");
    Map<String, String> settings = keyless();
    settings.put("resources.things." + setting, values.get(setting));

    Run run = discover(settings, "--out", out());

    assertThat(run.text()).contains("Key: thingId is proposed").doesNotContain("POS-111");
    assertThat(run.row("amount")).contains("decimal");
    assertThat(schema("things").getFields().stream().map(Schema.Field::name))
        .containsExactly("amount", "id", "no", "thingId");
    Run.of("check", out().resolve("pos.json"), "--set", "api.key=" + KEY).ending(0);
    location.table("things").createRaw("{\"ok\":true}");
    assertThat(discover(settings, "--out", out()).text())
        .contains("no field that could be a key differs in all rows");
    assertThat(ConnectorConfig.read(out().resolve("pos.json")).given())
        .containsEntry("resources.things." + setting, values.get(setting))
        .doesNotContainKey("resources.things.key.fields");
  }

  @Test
  void keepsTheReferenceThatTheCommandLineReplaces() throws IOException {
    location.table("things").createRaw("{\"id\":1}");
    Map<String, String> settings = things();
    settings.put("api.key", "${vault:pos:key}");
    settings.put("topic.prefix", "${vault:pos:prefix}");
    Path secret = Files.writeString(folder.resolve("key.properties"), "key=" + KEY);
    Path file = Run.file(folder, settings);

    Run.of(
            "discover",
            file,
            "--set",
            "api.key=${file:" + secret + ":key}",
            "--set",
            "topic.prefix=till",
            "--set",
            "tasks.max=2",
            "--out",
            out())
        .ending(0);
    assertThat(ConnectorConfig.read(out().resolve("pos.json")).given())
        .containsEntry("api.key", "${vault:pos:key}")
        .containsEntry("topic.prefix", "${vault:pos:prefix}")
        .containsEntry("tasks.max", "2");
  }

  @Test
  void alternativesAndAbsentPartsOfKeyStayText() throws IOException {
    Table things = location.table("things");
    for (int i = 1; i <= 30; i++) {
      things.createRaw((i % 2 == 0 ? "{\"id\":%d}" : "{\"no\":\"n%d\"}").formatted(i));
    }
    Map<String, String> settings = things();
    settings.put("resources.things.key.fields", "id|no,part?");

    Run run = discover(settings, "--out", out());

    assertThat(run.row("id")).contains("string (scalar)");
    Run.of("check", out().resolve("pos.json"), "--set", "api.key=" + KEY).ending(0);
  }

  @Test
  void namesTheKeyOfPlainValues() throws IOException {
    Table things = location.table("things");
    things.createRaw("\"A\"");
    things.createRaw("\"B\"");
    Map<String, String> settings = keyless();

    Run run = discover(settings);
    assertThat(run.text()).contains("Set resources.things.key.fields to value");
    settings.put("resources.things.key.fields", "value");
    run = discover(settings, "--out", out()).ending(0);
    assertThat(run.row("value")).contains("string (scalar)");
  }

  @Test
  void typesKeyWithoutSchemaOnlyWhereItIsDeclared() throws IOException {
    things(30, "{\"id\":%d}");
    assertThat(discover(things(), "--out", out()).row("id"))
        .contains("string (scalar)", "would be long by now");
    assertThat(schema("things").getField("id").schema().getType()).isEqualTo(Schema.Type.STRING);

    Map<String, String> settings = things();
    settings.put("resources.things.fields", "id:long");
    assertThat(discover(settings, "--out", out()).row("id")).contains("long");
    Run.of("check", out().resolve("pos.json"), "--set", "api.key=" + KEY).ending(0);
  }

  @Test
  void typesTheKeyThatItFindsAsWhatIdentifiesRows() throws IOException {
    things(30, "{\"part\":null,\"rate\":%d.5,\"no\":%1$d.0}");
    Map<String, String> settings = keyless();
    settings.put("decimal.handling.mode", "double");

    assertThat(discover(settings, "--out", out()).text()).contains("Key: no is proposed");
    Run.of("check", out().resolve("pos.json"), "--set", "api.key=" + KEY).ending(0);
  }

  @Test
  void reportsRowsThatShareOrLackTheKey() {
    Table things = location.table("things");
    for (int i = 1; i <= 10; i++) {
      things.createRaw("{\"id\":%d,\"n\":%d}".formatted(i % 5, i));
    }
    things.createRaw("{\"n\":11}");
    Run run = discover(things()).ending(ExitCode.FOUND.number);
    assertThat(run.text())
        .contains("Key: CONFLICT: id is the same in 5 rows that differ")
        .contains("Key: missing in 1 row: no key")
        .contains("different in all rows: n");
  }

  @Test
  void findsFaultWhereRowWouldBecomeDeadLetter() {
    location.products().createRaw("{\"name\":\"has no key\"}");
    Run run = discover(settings("products")).ending(ExitCode.FOUND.number);
    assertThat(run.text()).contains("conflicts or errors, see above: products");
    location.products().updateRaw(1, "[]");
    discover(settings("products")).ending(ExitCode.FOUND.number);
  }

  @Test
  void countsRowThatChangedBetweenReadsOnce() {
    service.fill(location, new InitialRows(50, 0, 0, Duration.ofDays(1), 0, 0));
    try (var churn = service.churn(location, 7).start(200)) {
      Run run = discover(settings("products"));
      assertThat(run.out()).doesNotContain("rows that differ");
      assertThat(churn.counts()).isNotEmpty();
    }
  }

  @Test
  void sendsNoMoreRequestsThanAllowed() {
    service.fill(location, new InitialRows(400, 400, 400, Duration.ofDays(300), 10, 300));
    Run run = discover(settings(RESOURCES), "--rows", 30, "--requests", 3).ending(0);
    for (String path :
        List.of(Endpoint.PRODUCTS, Endpoint.REGISTER_TRANSACTIONS, Endpoint.LOYALTY)) {
      assertThat(service.requests(path)).as(path).hasSizeBetween(1, 3);
    }
    assertThat(run.text()).contains("products: 30 rows of default in ");
    assertThat(service.requests(Endpoint.PRODUCTS).get(0).query()).contains("fromLast");
  }

  @Test
  void masksEveryValue() {
    location
        .table("things")
        .createRaw(
            "{\"id\":4111111111111111,\"mail\":\"jane.roe@example.com\",\"to\":{\"street\":\"Elm"
                + " 7\"},\"tags\":[\"vip-4711\"],\"born\":\"1971-03-14\",\"by\":{\"roe@gmail.com\":\"x\"}}");
    Run run = discover(things());

    assertThat(run.text())
        .contains("\"aaaa.aaa@aaaaaaa.aaa\"", "9999999999999999", "\"9999-99-99\"")
        .doesNotContain("4111", "jane", "Elm", "4711", "1971", "roe@gmail");
  }

  @Test
  void escapesAndRenamesFieldNames() {
    location
        .table("things")
        .createRaw(
            "{\"id\":1,\"\\u001b[2Jx\\u202e\":1,\"extra\":2,\"LOCATION\":3,\"order\":7,\"a\":1,\"A\":2}");
    Run run = discover(things(), "--out", out());

    assertThat(run.out()).doesNotContain("\u001b").doesNotContain("\u202e").contains("\\u001b[2Jx");
    assertThat(run.row("extra")).contains("is called extra_value");
    assertThat(run.row("order")).contains("is called order_value");
    assertThat(run.row("LOCATION")).contains("is called LOCATION_value");
    assertThat(run.row("a")).contains("(extra)", "differ only in case");
  }

  @Test
  void reportsRefusedResourceAndReadsTheOthers() {
    service.fill(location, InitialRows.SMALL);
    location.forbid(Permission.REPORTING);
    Run run = discover(settings("inventory,products")).ending(ExitCode.FOUND.number);
    assertThat(run.text()).contains("POS-202", "There is no row, so its fields are unknown.");
    assertThat(run.text()).contains("Key: productId differs in all 120 rows");
    assertThat(run.text()).contains("\"resources.products.schema\"");
    assertThat(run.out()).doesNotContain("\"resources.inventory.schema\"");
  }

  @Test
  void refusesOptionsOutOfRange() {
    Map<String, String> settings = settings("products");
    assertThat(discover(settings, "--rows", 0).code()).isEqualTo(ExitCode.UNREADABLE.number);
    assertThat(discover(settings, "--seconds", "99999999999").code())
        .isEqualTo(ExitCode.UNREADABLE.number);
    assertThat(discover(settings, "--share", 2).code()).isEqualTo(ExitCode.UNREADABLE.number);
    assertThat(discover(settings, "--resource", "prodcts").err()).contains("has products");
    assertThat(discover(settings, "--location", "airport").err()).contains("has default");
    settings.remove("topic.prefix");
    assertThat(discover(settings).err()).startsWith("POS-104 topic.prefix");
  }

  @ParameterizedTest
  @MethodSource
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void endsInTimeOnBadDay(Fault fault) {
    service.fill(location, new InitialRows(60, 0, 0, Duration.ofDays(3), 0, 0));
    service.faults().on(Endpoint.PRODUCTS).then(fault);

    Run run = discover(settings("products"), "--seconds", 2).ending(ExitCode.FOUND.number);
    assertThat(run.text()).containsPattern("POS-(303|401) default/products: ");
  }

  static Stream<Fault> endsInTimeOnBadDay() {
    return Stream.of(
        Fault.slowHeaders(Duration.ofMinutes(2)),
        Fault.silentBody(),
        Fault.slowBody(100),
        Fault.throttled().and(Fault.header("Retry-After", "300")));
  }

  @Test
  void namesItsTimeWhereTheLimitLeavesNone() {
    Map<String, String> settings = settings("products");
    settings.put("resources.products.requests.per.minute", "1");
    discover(settings, "--requests", 1).ending(0);

    Run run = discover(settings, "--seconds", 1).ending(ExitCode.FOUND.number);
    assertThat(run.text()).contains("not read within the 1 s of --seconds");
  }

  /** Its time is for all readings with and without each parameter together. */
  @Test
  @Timeout(value = 300, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
  void triesParametersNoLongerThanItReads() {
    service.faults().on(Endpoint.PRODUCTS).then(Fault.silentBody());
    Map<String, String> settings = settings("products");
    settings.put("resources.products.parameters", "a=1,b=1,c=1,d=1,e=1,f=1,g=1,h=1");
    Run run = discover(settings, "--seconds", 1).ending(ExitCode.FOUND.number);
    assertThat(run.text()).contains("not read within the 1 s of --seconds");
    assertThat(service.requests(Endpoint.PRODUCTS)).hasSizeLessThan(5);
  }

  @Test
  void reportsMisspeltParameterAndNoneThatWorks() {
    try (Simulator demanding =
        Simulator.builder().unlimited().detailsFor("IncludeDetail", "items").start()) {
      SimulatedLocation store = demanding.location(KEY);
      demanding.fill(store, new InitialRows(0, 0, 300, Duration.ofDays(3), 0, 0));
      Map<String, String> settings = Run.settings(demanding.baseUrl(), KEY);
      settings.put("resources", "register-transactions");
      settings.put("resources.register-transactions.requests.per.minute", "60000");

      settings.put("request.headers.X-Gateway", "a-header-that-is-never-shown");

      Run without = discover(settings, "--verbose");
      assertThat(without.all()).doesNotContain("items", "POS-116", "a-header-that");
      assertThat(without.text())
          .contains("${file:/etc/kafka-connect/secrets/pos.properties:request.headers.X-Gateway}");
      settings.put("resources.register-transactions.parameters", "IncludeDetail=true,Taxis=true");
      Run with = discover(settings).ending(0);
      assertThat(with.row("items")).contains("json");
      assertThat(with.text())
          .contains("POS-116 default/register-transactions: Taxis changes nothing in 200 rows")
          .doesNotContain("IncludeDetail changes nothing");
    }
  }
}
