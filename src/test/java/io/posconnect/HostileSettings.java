package io.posconnect;

import io.posconnect.config.Props;
import io.posconnect.config.SourceConfig;
import io.posconnect.resource.Retrieval.Style;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.apache.kafka.common.config.ConfigDef;
import org.apache.kafka.common.config.ConfigDef.ConfigKey;

/** Random configurations: any setting with any value in any scope, beside correct settings. */
final class HostileSettings {

  /** Part of every secret; no message may contain it. */
  static final String SECRET = "hush-7Rq";

  private static final String RECORD = "{\"type\":\"record\",\"name\":\"P\",\"fields\":[%s]}";
  private static final String ID = "{\"name\":\"productId\",\"type\":\"long\"}";

  private static final List<String> GENERAL =
      List.copyOf(SourceConfig.definition(Map.of()).names());

  private static final List<String> RETRIEVALS =
      Stream.of(Style.values()).map(Style::spelling).toList();

  private static final List<String> RESOURCES =
      words(
          """
          products customers register-transactions inventory locations loyalty-transactions
          gift-cards x.y X - ä
          """,
          "",
          "r".repeat(300));

  private static final List<String> LOCATIONS =
      words(
          """
          default a b a.b A _ é
          """,
          "",
          "l".repeat(300));

  /** Values at the bounds; each is allowed by itself. */
  private static final List<String> EDGES =
      words(
          """
          retry.backoff.max.ms=31536000000 retry.backoff.ms=1 request.timeout.ms=86400000
          stall.timeout.ms=1 rate.limit.share=0.001 rate.limit.share=1 deletes.max.ratio=0
          deletes.max.ratio=4.9E-324 deletes.confirm.ms=3155760000000 digest.max.keys=1
          digest.max.keys=2147483647 buffer.max.bytes=1 buffer.max.bytes=9223372036854775807
          batch.max.records=2 poll.interval.ms=1 poll.interval.ms=3155760000000
          lookback.ms=3155760000000 reconcile.interval.ms=3155760000000
          reconcile.window.ms=3155760000000 window.max.ms=3155760000000 checkpoint.interval.ms=0
          errors.fail.after.ms=3155760000000 start.from=1970-01-01T00:00:00Z
          start.from=2024-12-31T23:59:59.999999999Z start.from=now event.format=flat
          decimal.handling.mode=string decimal.handling.mode=double errors.rows=fail
          errors.streams=fail topic.prefix=-
          topic.template={resource}.{location}.{prefix}.{resource} dead.letters.topic=.d
          proxy.url=http://127.0.0.1:9/ allow.http=true ssl.protocol=TLSv1.2
          ssl.endpoint.identification.algorithm= ssl.truststore.type=PEM
          resources.locations.retrieval=full resources.products.retrieval=pages
          resources.products.first.page=0 resources.products.page.size=1000000
          resources.products.requests.per.minute=60000 resources.products.requests.per.minute=1
          resources.products.hash.fields=productId,name
          resources.inventory.hash.fields=inventoryId,a.b.c resources.customers.snapshot=pages
          resources.inventory.occurrences=true snapshot.mode=baseline
          resources.products.include.fields=productId resources.products.include.fields=a.b
          resources.products.parameters=IncludeDetail=true
          locations.a.parameters=a=b
          resources.inventory.key.fields=a,b,c,d,e,f,location,fetch
          resources.loyalty-transactions.path=/loyalty exactly.once.support=required
          """,
          "snapshot.id= \uD834\uDD1E'\"{}",
          "user.agent=~ ~",
          "request.headers.X-A=" + SECRET,
          "resources.products.parameters=" + "p=".repeat(10_000),
          "topic.prefix=" + "p".repeat(200),
          "checkpoints.topic=" + "c".repeat(249),
          "api.password=" + SECRET + "é𝄞",
          "resources.locations.path=/" + "%41".repeat(600),
          "resources.products.key.fields=" + "k".repeat(100),
          "resources.products.key.fields=productId|name|é|\"|\\\\",
          "resources.products.ignore.fields=" + "i".repeat(20_000),
          "resources.products.schema=" + RECORD.formatted(ID),
          "resources.products.exclude.fields=" + "e".repeat(1_000),
          "resources.products.exclude.fields=é.\"\\.𝄞,price",
          "hash.salt=" + SECRET + "é".repeat(16),
          "hash.salt=" + SECRET + " ".repeat(16),
          "name=\"*?,=:\\\\",
          "name=" + "n".repeat(20_000));

  private static final List<String> ODD_NAMES =
      words(
          """
          . resources. locations. resources.. locations..x resources.a. name tasks.max
          exactly.once.support offsets.storage.topic task.streams task.number config.providers
          config.providers.x.class ssl.engine.factory.class transforms no.such.setting
          """,
          "",
          "resources.\0.path",
          "n".repeat(30_000),
          "resources.products." + "n".repeat(30_000));

  private final RandomGenerator random;
  private final Path folder;

  private HostileSettings(RandomGenerator random, Path folder) {
    this.random = random;
    this.folder = folder;
  }

  /** Writes files that a configuration may name, usable and unusable ones. */
  static void layOut(Path folder) throws IOException {
    Files.writeString(folder.resolve("good.avsc"), RECORD.formatted(ID));
    Files.writeString(folder.resolve("broken.avsc"), "{\"type\":\"record\"");
    Files.write(folder.resolve("binary"), new byte[] {0, -1, 1, 2, 3});
    Files.write(folder.resolve("large"), new byte[2 << 20]);
    Files.writeString(folder.resolve("empty"), "");
    Files.createDirectory(folder.resolve("directory"));
  }

  /** A random configuration, in which some settings may be wrong. */
  static Map<String, String> random(RandomGenerator random, Path folder) {
    HostileSettings hostile = new HostileSettings(random, folder);
    Map<String, String> settings = hostile.sound();
    for (int edge = random.nextInt(6); edge > 0; edge--) {
      String[] setting = hostile.any(EDGES).split("=", 2);
      settings.put(setting[0], setting[1]);
    }
    for (int wrong = random.nextInt(4); wrong > 0; wrong--) {
      String name = hostile.name();
      settings.put(name, hostile.value(name));
    }
    if (settings.keySet().stream().anyMatch(name -> name.startsWith("ssl."))) {
      settings.put("base.url", "https://127.0.0.1:9");
    }
    if (random.nextInt(8) == 0) {
      List<String> names = new ArrayList<>(settings.keySet());
      settings.remove(hostile.any(names));
    }
    return settings;
  }

  /** No server listens at these addresses. */
  private Map<String, String> sound() {
    Props props = random.nextInt(4) == 0 ? Props.several("a", "b") : Props.one();
    props.with("base.url", random.nextInt(20) == 0 ? "https://127.0.0.1:9" : "http://127.0.0.1:9");
    for (String key : List.of("api.key", "locations.a.api.key", "locations.b.api.key")) {
      if (props.map().containsKey(key)) {
        props.with(key, SECRET + key.charAt(10 % key.length()));
      }
    }
    if (random.nextBoolean()) {
      props.with("validate.connection", "false");
    }
    if (random.nextInt(3) == 0) {
      props.with(
          "resources", any(List.of("products", "inventory,locations", "customers,gift-cards")));
    }
    if (random.nextInt(4) == 0) {
      props
          .with("resources.gift-cards.path", "/gift")
          .with("resources.gift-cards.retrieval", any(RETRIEVALS))
          .with("resources.gift-cards.key.fields", any(List.of("id", "id|ID", "a,b,c", "ä,\"")));
    }
    return new TreeMap<>(props.map());
  }

  private String name() {
    return switch (random.nextInt(10)) {
      case 0 -> any(ODD_NAMES);
      case 1, 2, 3 -> "resources." + any(RESOURCES) + "." + any(Props.ofResources());
      case 4 -> "resources.products." + any(Props.ofResources());
      case 5 ->
          "locations."
              + any(LOCATIONS)
              + "."
              + (random.nextBoolean() ? any(Props.ofLocations()) : any(Props.ofResources()));
      case 6 -> any(Props.ofResources());
      default -> any(GENERAL);
    };
  }

  private String value(String name) {
    if (name.endsWith("api.key")
        || name.endsWith("password")
        || name.endsWith("salt")
        || name.contains("request.headers")) {
      return SECRET + (random.nextInt(3) == 0 ? any(texts()) : "");
    }
    return switch (random.nextInt(3)) {
      case 0 -> any(texts());
      case 1 -> any(numbers());
      default -> any(fitting(name));
    };
  }

  private static List<String> texts() {
    return words(
        """
          é𝄞 ${file:/etc/passwd:root} ${env:HOME} %s%n%d a,a a,b,,c | ../../etc/passwd null
          java.lang.Object
          """,
        "",
        " ",
        "\0",
        "a\0b",
        "\r\n",
        "\u0007",
        "\u2003",
        "\uD800",
        "x".repeat(20_000),
        "/x".repeat(10_000),
        "/".repeat(20_000),
        ",".repeat(20_000),
        "[".repeat(20_000),
        "{".repeat(20_000),
        "'; drop table x; --");
  }

  private static List<String> numbers() {
    return words(
        """
          0 1 -1 2 60000 2147483647 2147483648 31536000001 3155760000000 9223372036854775807
          9223372036854775808 -9223372036854775808 NaN Infinity 1e-300 4.9E-324 0.3 1.0 0x1p-3
          1_000 ٣ true false
          """);
  }

  /** Values of the type that the setting expects, most of them correct or nearly so. */
  private List<String> fitting(String name) {
    List<String> choices = choices(name);
    if (!choices.isEmpty()) {
      return choices;
    }
    if (name.endsWith(".file") || name.endsWith(".location")) {
      return files();
    }
    if (name.endsWith("url")) {
      return words(
          """
          http://127.0.0.1:9 http://127.0.0.1:9/v1/ http://[::1]:9 http://[fe80::1%25lo]:9
          http://localhost:99999 http://localhost:0 http://127.0.0.1: http://api.example.com
          HTTP://127.0.0.1:9// http://127.0.0.1:9/é http://exa_mple:9 http:///x
          mailto:x@example.com
          """,
          "http://" + "a".repeat(64) + ".example",
          "http://user:" + SECRET + "@127.0.0.1:9",
          "http://127.0.0.1:9/" + "/".repeat(20_000) + "x",
          "http://127.0.0.1:9?key=" + SECRET);
    }
    if (name.endsWith("schema")) {
      return schemas();
    }
    if (name.endsWith("path")) {
      return List.of("/x", "/x/", "//", "/.", "/%2e%2E", "/%", "/é", "/a?b", "/a;b=c", "x");
    }
    if (name.endsWith("fields")) {
      return words(
          """
          productId id|productId |a a|a a.b,A.B.c a..b . *.a a?,b? ? productId:long
          productId:decimal(2),id|name:json location:string a:decimal(39)
          """,
          "a b:uuid,a-b:uuid",
          "a|".repeat(10_000) + "a:long");
    }
    if (name.contains("topic")) {
      return List.of("pos", "pos.products", "connect-offsets", "__x", ".", "..", "p".repeat(250));
    }
    return words(
        """
          products customers,inventory loyalty-transactions gift-cards,gift-cards a,b default
          earliest now 2024-01-31T00:00:00Z 2199-12-31T23:59:59.999999999Z
          -999999999-01-01T00:00:00Z +999999999-12-31T23:59:59Z TLSv1.3 TLSv1.2,SSLv2 PKIX
          required
          """,
        "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
        "-----BEGIN PRIVATE KEY-----" + "A".repeat(20_000));
  }

  /** The values that a form offers for a setting that has one value. */
  private static List<String> choices(String name) {
    ConfigKey key = SourceConfig.definition(Map.of(name, "")).configKeys().get(name);
    return key == null || key.type == ConfigDef.Type.LIST
        ? List.of()
        : key.recommender.validValues(name, Map.of()).stream().map(Object::toString).toList();
  }

  private List<String> files() {
    List<String> files = new ArrayList<>(List.of("/dev/zero", "/dev/null", "/proc/self/mem", "~"));
    for (String file :
        List.of("good.avsc", "broken.avsc", "binary", "large", "empty", "directory", "absent")) {
      files.add(folder.resolve(file).toString());
    }
    return files;
  }

  private static List<String> schemas() {
    List<String> schemas =
        new ArrayList<>(
            List.of(
                "{}",
                "[]",
                "null",
                "\"string\"",
                "{\"type\":\"record\"}",
                "{\"type\":\"record\",\"name\":\"\",\"fields\":[]}",
                "{\"type\":\"record\",\"name\":\"a.b\",\"fields\":[]}",
                "{\"type\":\"record\",\"name\":\"P\",\"fields\":{}}",
                "{\"type\":\"record\",\"name\":\"P\",\"namespace\":7,\"fields\":[" + ID + "]}"));
    for (String type :
        List.of(
            "\"long\",\"order\":\"x\"",
            "\"long\",\"default\":\"x\"",
            "\"long\",\"default\":9e99",
            "\"long\",\"aliases\":7",
            "\"long\",\"aliases\":[\"\\u0000\"]",
            "\"long\",\"doc\":7",
            "[\"null\",\"long\"]",
            "[]",
            "\"P\"",
            "[\"null\",\"P\"]",
            "\"bytes\"",
            "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[]}",
            "{\"type\":\"enum\",\"name\":\"E\",\"symbols\":[\"a\",\"a\"]}",
            "{\"type\":\"fixed\",\"name\":\"F\",\"size\":-1}",
            "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":9999999}",
            "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":-1,\"scale\":7}",
            "{\"type\":\"string\",\"logicalType\":\"uuid\"}",
            "{\"type\":\"string\",\"accepts\":7}",
            "{\"type\":\"map\"}",
            "{\"type\":\"array\",\"items\":\"no.such\"}",
            nested("{\"type\":\"array\",\"items\":", 60),
            nested("{\"type\":\"array\",\"items\":", 400),
            nested("{\"type\":\"map\",\"values\":", 5_000))) {
      schemas.add(RECORD.formatted("{\"name\":\"productId\",\"type\":" + type + "}"));
      schemas.add(RECORD.formatted(ID + ",{\"name\":\"x\",\"type\":" + type + "}"));
    }
    for (String name : List.of("", "a b", "é", "extra", "location", "__op", "PRODUCTID", "1a")) {
      schemas.add(
          RECORD.formatted(ID + ",{\"name\":\"" + name + "\",\"type\":[\"null\",\"string\"]}"));
    }
    return schemas;
  }

  private static String nested(String opening, int depth) {
    return opening.repeat(depth) + "\"long\"" + "}".repeat(depth);
  }

  /** The words of a text, and more values that are not words. */
  private static List<String> words(String text, String... more) {
    return Stream.concat(Stream.of(text.split("\\s+")), Stream.of(more)).toList();
  }

  private <T> T any(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
