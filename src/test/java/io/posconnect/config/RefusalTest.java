package io.posconnect.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.Messages;
import io.posconnect.config.Setting.Scope;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Retrieval.Style;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.config.ConfigValue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Every refusal: the setting at which it stands, its code, and its words. */
final class RefusalTest {

  private static final String NO_SCHEMA =
      " cannot be read on this worker as a file of at most 1 MiB with an Avro schema of type record";

  private static List<ConfigValue> validated(Props props) {
    return SourceConfig.validate(props.map(), config -> List.of(), config -> List.of())
        .configValues();
  }

  /** The messages by setting; several messages of one setting are joined. */
  static Map<String, String> refusals(Props props) {
    return validated(props).stream()
        .filter(value -> !value.errorMessages().isEmpty())
        .peek(value -> value.errorMessages().forEach(Messages::assertExplained))
        .collect(
            Collectors.toMap(
                ConfigValue::name, value -> String.join(" / ", value.errorMessages())));
  }

  /** Both the validation and the task refuse, in the same words and for no other reason. */
  private static void refuses(Props props, Problem problem, String setting, String detail) {
    String message = problem.at(setting, detail);
    assertThat(refusals(props)).containsExactly(Map.entry(setting, message));
    assertThatThrownBy(props::config).isInstanceOf(ConfigException.class).hasMessage(message);
  }

  /** So does what sends no request, such as a change of offsets. */
  private static void accepts(Props props) {
    assertThat(refusals(props)).isEmpty();
    assertThat(SourceConfig.checked(SourceConfig.withoutService(props.map()))).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          poll.interval.ms; 0; Value must be at least 1
          lookback.ms; -1; Value must be at least 0
          window.max.ms; 59999; Value must be at least 60000
          reconcile.interval.ms; -1; Value must be at least 0
          reconcile.window.ms; -1; Value must be at least 0
          checkpoint.interval.ms; -1; Value must be at least 0
          deletes.confirm.ms; -1; Value must be at least 0
          request.timeout.ms; 0; Value must be at least 1
          request.timeout.ms; 2147483648; Value must be no more than 86400000
          stall.timeout.ms; 0; Value must be at least 1
          stall.timeout.ms; 2147483648; Value must be no more than 86400000
          retry.backoff.ms; 0; Value must be at least 1
          retry.backoff.max.ms; 0; Value must be at least 1
          retry.backoff.max.ms; 31536000001; Value must be no more than 31536000000
          errors.fail.after.ms; -1; Value must be at least 0
          deletes.max.ratio; 1.1; Value must be no more than 1
          deletes.max.ratio; -0.1; Value must be at least 0
          deletes.max.ratio; NaN; must be a number
          rate.limit.share; 0.0; Value must be at least 0.001
          rate.limit.share; 1.1; Value must be no more than 1
          rate.limit.share; NaN; must be a number
          digest.max.keys; 0; Value must be at least 1
          batch.max.records; 1; Value must be at least 2
          buffer.max.bytes; 0; Value must be at least 1
          resources.products.requests.per.minute; 0; Value must be at least 1
          resources.customers.page.size; 0; Value must be at least 1
          resources.customers.first.page; 2; Value must be no more than 1
          snapshot.id; june#2; must be text without # and control characters, at most 100 of them
          start.from; yesterday; must be earliest, now, a past instant such as 2024-01-31T00:00:00Z, or a duration back from now such as P30D
          start.from; 2024-01-31; must be earliest, now, a past instant such as 2024-01-31T00:00:00Z, or a duration back from now such as P30D
          start.from; 2199-12-31T00:00:00Z; must not lie in the future (now begins with what is added from now on)
          start.from; P-1D; must not lie in the future (now begins with what is added from now on)
          start.from; P1M; must be earliest, now, a past instant such as 2024-01-31T00:00:00Z, or a duration back from now such as P30D
          start.from; P30000D; must not reach back to before 1970
          start.from; 1969-12-31T23:59:59Z; must not reach back to before 1970
          event.format; json; String must be one of: envelope, flat
          decimal.handling.mode; exact; String must be one of: precise, string, double
          errors.rows; ignore; String must be one of: dead-letter, fail, skip
          errors.streams; ignore; String must be one of: isolate, fail
          ssl.endpoint.identification.algorithm; ''; must be https, since the key must reach no other host
          resources.products.retrieval; all; String must be one of: full, modified-since, date-range, pages, cursor
          resources.customers.snapshot; all; String must be one of: list, pages
          resources.products.path; products; must be a path that begins with a slash and has no query, such as /reporting/inventory
          resources.products.parameter.from; a b; must be the name of a query parameter
          topic.prefix; a b; must be letters, digits, dots, - and _, and not begin or end with a dot
          topic.prefix; pos.; must be letters, digits, dots, - and _, and not begin or end with a dot
          topic.template; {prefix}.all; must be a name that holds {resource}, and may hold {prefix} and {location}
          topic.template; {store}.{resource}; must be a name that holds {resource}, and may hold {prefix} and {location}
          checkpoints.topic; a/b; must be the name of a topic: letters, digits, dots, - and _, at most 249 of them
          location.name; Down Town; must be at most 100 lower-case letters, digits, - and _, and begin with a letter or digit
          user.agent; é; must be printable ASCII, at most 200 characters
          """)
  void refusesValueOutOfBounds(String setting, String value, String demand) {
    refuses(
        Props.one().with(setting, value),
        Problem.INVALID_VALUE,
        setting,
        "invalid value " + value + ": " + demand);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/", "//x", "/a//b", "/a//", "/\0", "/.",
        "/a/../b", "/a/%2E%2e", "/a b", "/a%", "/a#b", "/p?x=1"
      })
  void refusesPathThatClimbsOrCannotBeSent(String path) {
    assertThat(refusals(Props.one().with("resources.products.path", path)))
        .containsOnlyKeys("resources.products.path");
  }

  @Test
  void refusesOwnerWithTooLongName() {
    String owner = "r".repeat(101);
    refuses(
        Props.one().with("resources." + owner + ".path", "/x"),
        Problem.UNKNOWN_SETTING,
        "resources." + owner + ".path",
        "\""
            + owner
            + "\" is not the name of a resource; it must be at most 100 lower-case letters,"
            + " digits and -, and begin with a letter or digit");
  }

  @Test
  void refusesOverlongValuesInsteadOfThrowing() {
    String record = "{\"type\":\"record\",\"name\":\"P\",\"fields\":[%s]}";
    String order = "{\"name\":\"productId\",\"type\":\"long\",\"order\":\"x\"}";
    for (Map.Entry<String, String> hostile :
        List.of(
            Map.entry("resources.products.path", "/a".repeat(10_000)),
            Map.entry("resources.products.path", "/" + "%41".repeat(6_000)),
            Map.entry("resources.products.schema.file", "/x\0y"),
            Map.entry("ssl.truststore.location", "/x\0y"),
            Map.entry("ssl.keystore.location", "\0"),
            Map.entry("resources.products.schema", record.formatted(order)),
            Map.entry("resources.products.schema", "[".repeat(100_000)),
            Map.entry("start.from", "+1000000000-12-31T23:59:59Z"),
            Map.entry("base.url", "https://" + "a".repeat(64) + ".example"),
            Map.entry("base.url", "https://api.example.com:99999"),
            Map.entry("base.url", "https://[fe80::1%25eth0]"),
            Map.entry("base.url", "https://x/" + "/".repeat(50_000) + "y"),
            Map.entry("location.name", "a".repeat(101)),
            Map.entry("snapshot.id", "a".repeat(101)))) {
      assertThat(refusals(Props.one().with(hostile.getKey(), hostile.getValue())))
          .containsOnlyKeys(hostile.getKey());
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      textBlock =
          """
          resources; products,Products
          resources; products,products
          resources; ''
          locations; a,a
          locations; a/b
          resources.products.key.fields; a|
          resources.products.key.fields; a,a
          resources.products.ignore.fields; a,a
          # Only key fields have aliases.
          resources.products.ignore.fields; a|b
          resources.products.include.fields; productId,a|b
          resources.products.exclude.fields; a|b
          resources.products.hash.fields; a.b|c
          """)
  void refusesListWithRepeatedOrMalformedNames(String setting, String names) {
    assertThat(refusals(Props.one().with(setting, names))).containsOnlyKeys(setting);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "ftp://example.com",
        "example.com",
        "https://",
        "https://user:hush@example.com",
        "https://example.com?x=hush",
        "https://example.com/#hush",
        "http://pos_service:8080",
        "https://kasse-münchen.example"
      })
  void refusesMalformedAddressWithoutRepeatingIt(String url) {
    refuses(
        Props.one().with("base.url", url),
        Problem.INVALID_VALUE,
        "base.url",
        "must be an absolute http or https address without user, query and fragment, and its host an"
            + " IP address or a name of ASCII letters, digits, hyphens and dots, such as"
            + " https://api.example.com/v1");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"http://user:hush@proxy.example.com", "https://proxy.example.com", "http://p/x"})
  void refusesProxyWithSecretWithoutRepeatingIt(String url) {
    refuses(
        Props.one().with("proxy.url", url),
        Problem.INVALID_VALUE,
        "proxy.url",
        "must be the http address of a proxy without user and path, such as"
            + " http://proxy.example.com:3128");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      textBlock =
          """
          # No secret is repeated.
          api.key=hush:hush; UNSENDABLE_KEY; api.key; the API key holds a colon, which HTTP Basic cannot send
          api.key=${file:keys.properties:key}; UNSENDABLE_KEY; api.key; the API key is a reference to which this worker finds no secret
          api.password=${file:keys.properties:password}; UNSENDABLE_KEY; api.key; the password is a reference to which this worker finds no secret
          request.headers.X-A=Bearer-${env:GATEWAY}; UNSENDABLE_KEY; api.key; the header X-A is a reference to which this worker finds no secret
          resources.products.hash.fields=name hash.salt=${file:keys.properties:salt}#; INVALID_VALUE; hash.salt; is a reference to which this worker finds no secret
          api.key=hush\thush; UNSENDABLE_KEY; api.key; the API key or its password holds a control character
          api.key=\u2003hush; UNSENDABLE_KEY; api.key; the API key begins or ends with white space or an invisible character
          api.key=\uFEFFhush; UNSENDABLE_KEY; api.key; the API key begins or ends with white space or an invisible character
          api.key=hush\u00A0; UNSENDABLE_KEY; api.key; the API key begins or ends with white space or an invisible character
          request.headers.X-A=hush\th; INVALID_VALUE; request.headers.X-A; must be printable ASCII without white space around it, at most 8000 characters
          request.headers.X-A=husch\u00e9; INVALID_VALUE; request.headers.X-A; must be printable ASCII without white space around it, at most 8000 characters
          [a] locations.a.request.headers.X-A=; INVALID_VALUE; locations.a.request.headers.X-A; must be printable ASCII without white space around it, at most 8000 characters
          request.headers.authorization=hush; INVALID_VALUE; request.headers.authorization; must be named after a header of letters, digits, - and _ that neither HTTP nor the connector sets itself
          request.headers.Content-Length=5; INVALID_VALUE; request.headers.Content-Length; must be named after a header of letters, digits, - and _ that neither HTTP nor the connector sets itself
          base.url=${file:pos.properties:url}; INVALID_VALUE; base.url; `must be an absolute http or https address without user, query and fragment, and its host an IP address or a name of ASCII letters, digits, hyphens and dots, such as https://api.example.com/v1; it holds a reference to which this worker finds nothing`
          poll.interval.ms=${env:POLL}; INVALID_VALUE; poll.interval.ms; `invalid value ${env:POLL}: Not a number of type LONG; it holds a reference to which this worker finds nothing`
          base.url=https://xn--0; INVALID_VALUE; base.url; must have a name or an IP address as its host, which xn--0 is not
          request.headers.request.headers.X-A=hush; INVALID_VALUE; request.headers.request.headers.X-A; must be named after a header of letters, digits, - and _ that neither HTTP nor the connector sets itself
          request.headers.X:A=hush; INVALID_VALUE; request.headers.X:A; must be named after a header of letters, digits, - and _ that neither HTTP nor the connector sets itself
          request.headers.=hush; INVALID_VALUE; request.headers.; must be named after a header of letters, digits, - and _ that neither HTTP nor the connector sets itself
          name=50%; INVALID_VALUE; name; `must be without /, \\ and %: Connect 4.3 answers 400 to each request that names such a connector, also to its DELETE`
          name=a/b; INVALID_VALUE; name; `must be without /, \\ and %: Connect 4.3 answers 400 to each request that names such a connector, also to its DELETE`
          request.headers.X-A=hush request.headers.x-a=hush; CONTRADICTION; request.headers.x-a; names a header twice, since case does not count
          resources.products.request.headers.X-A=hush; UNKNOWN_SETTING; resources.products.request.headers.X-A; `is not a setting of a resource; it stands as request.headers.<name> or locations.<name>.request.headers.<name>`
          # Prefix, address and keys are needed; a location with its own address needs its own key.
          -topic.prefix; MISSING_SETTING; topic.prefix;
          -base.url; MISSING_SETTING; base.url; location default has no address
          -api.key; MISSING_SETTING; api.key; location default has no key
          api.key=\u2003; MISSING_SETTING; api.key; location default has no key
          [a,b] -locations.b.api.key; MISSING_SETTING; locations.b.api.key; location b has no key
          [a,b] api.key=general -locations.b.api.key locations.b.base.url=https://b.example.com; MISSING_SETTING; locations.b.api.key; location b has no key
          [a,b] api.password=hush locations.b.base.url=https://b.example.com; MISSING_SETTING; locations.b.api.password; location b has its own base.url, to which the general one is not sent, so it needs its own, which may be empty
          resources=loyalty-transactions; MISSING_SETTING; resources.loyalty-transactions.path; is needed, since resources has loyalty-transactions and no path of it is published
          # A key travels encrypted, unless to this machine and through no proxy.
          base.url=http://api.example.com; UNENCRYPTED; base.url; would send the key of location default unencrypted
          base.url=http://127.0.0.1.example.com; UNENCRYPTED; base.url; would send the key of location default unencrypted
          base.url=http://pos.localhost; UNENCRYPTED; base.url; would send the key of location default unencrypted
          base.url=http://10.0.0.1; UNENCRYPTED; base.url; would send the key of location default unencrypted
          base.url=http://[::2]; UNENCRYPTED; base.url; would send the key of location default unencrypted
          [a,b] locations.b.base.url=http://127.example.com; UNENCRYPTED; locations.b.base.url; would send the key of location b unencrypted
          base.url=http://127.0.0.1:8080 proxy.url=http://proxy.example.com:3128; UNENCRYPTED; base.url; would send the key of location default unencrypted
          # Every name is known.
          resources.products.poll.intervall.ms=1; UNKNOWN_SETTING; resources.products.poll.intervall.ms; `is not a setting of a resource; known: poll.interval.ms`
          locations.default.apikey=x; UNKNOWN_SETTING; locations.default.apikey; `is not a setting of a location; known: api.key, api.password`
          resources.products=x; UNKNOWN_SETTING; resources.products; `is not a setting; perhaps resources.products.<setting> is meant`
          resources.Products.path=/x; UNKNOWN_SETTING; resources.Products.path; `"Products" is not the name of a resource; it must be at most 100 lower-case letters, digits and -, and begin with a letter or digit`
          [airport,till] locations.ariport.start.from=now; UNKNOWN_NAME; locations.ariport.start.from; `there is no location ariport; known: airport`
          resources.product.start.from=now; UNKNOWN_NAME; resources.product.start.from; `product is not among the resources; known: products`
          [a] resources=product; UNKNOWN_NAME; resources; `product is not in the catalog; known: products; another needs resources.product.path, .retrieval and .key.fields`
          [a] locations.a.resources=product; UNKNOWN_NAME; locations.a.resources; `product is not in the catalog; known: products; another needs resources.product.path, .retrieval and .key.fields`
          # Nothing contradicts another setting, and nothing is without effect.
          [a,b] locations.b.api.key=key-of-a; SAME_LOCATION; locations.b.api.key; is the same key as locations.a.api.key at the same address, so locations a and b are one
          [a,b] locations.b.api.key=key-of-a locations.b.base.url=https://API.example.com:443/; SAME_LOCATION; locations.b.api.key; is the same key as locations.a.api.key at the same address, so locations a and b are one
          resources.customers.page.size=50; CONTRADICTION; resources.customers.page.size; `has no effect on customers: it is for modified-since, pages or cursor; of modified-since only if snapshot or increments is pages`
          resources.customers.first.page=0; CONTRADICTION; resources.customers.first.page; `has no effect on customers: it is for modified-since or pages; of modified-since only if snapshot or increments is pages`
          resources.customers.parameter.page.number=p; CONTRADICTION; resources.customers.parameter.page.number; `has no effect on customers: it is for modified-since or pages; of modified-since only if snapshot or increments is pages`
          resources.customers.increments=pages resources.customers.snapshot.path=/x; CONTRADICTION; resources.customers.snapshot.path; `has no effect on customers: it is for modified-since, if snapshot is pages`
          resources.inventory.start.from=now; CONTRADICTION; resources.inventory.start.from; `has no effect on inventory: it is for date-range`
          [a,b] resources=inventory,products locations.b.resources=inventory locations.b.start.from=now; CONTRADICTION; locations.b.start.from; `has no effect on b: it is for date-range`
          [a] resources=inventory locations.a.reconcile.interval.ms=0; CONTRADICTION; locations.a.reconcile.interval.ms; `has no effect on a: it is for modified-since or date-range`
          errors.streams=fail errors.fail.after.ms=1; CONTRADICTION; errors.fail.after.ms; has no effect with errors.streams=fail, where the task fails at once
          resources.register-transactions.deletes.max.ratio=1; CONTRADICTION; resources.register-transactions.deletes.max.ratio; `has no effect on register-transactions: it is for full, modified-since, pages or cursor`
          resources.register-transactions.deletes.confirm.ms=1; CONTRADICTION; resources.register-transactions.deletes.confirm.ms; `has no effect on register-transactions: it is for full, modified-since, pages or cursor`
          resources.products.parameter.to=t; CONTRADICTION; resources.products.parameter.to; `has no effect on products: it is for date-range`
          resources.locations.key.fields=id; CONTRADICTION; resources.locations.key.fields; has no effect: locations is one object, known by its location
          ssl.engine.factory.class=no.such.Factory; CONTRADICTION; ssl.engine.factory.class; has no effect: the connector uses Kafka's own factory
          ssl.key.password=hush; CONTRADICTION; ssl.key.password; has no effect without ssl.keystore.location or ssl.keystore.key
          ssl.keystore.password=hush; CONTRADICTION; ssl.keystore.password; has no effect without ssl.keystore.location
          ssl.keystore.type=PEM; CONTRADICTION; ssl.keystore.type; has no effect without ssl.keystore.location or ssl.keystore.key
          ssl.truststore.type=BKS; CONTRADICTION; ssl.truststore.type; has no effect without ssl.truststore.location or ssl.truststore.certificates
          retry.backoff.ms=400000; CONTRADICTION; retry.backoff.ms; the first back-off, 400000 ms, is longer than the longest, 300000 ms
          window.max.ms=60000 resources.register-transactions.requests.per.minute=1; CONTRADICTION; window.max.ms; `is too short for register-transactions: requests.per.minute and rate.limit.share permit a request every 67 s, so it would never reach the present`
          [a,b] locations.b.window.max.ms=101000 rate.limit.share=0.01; CONTRADICTION; locations.b.window.max.ms; `is too short for register-transactions: requests.per.minute and rate.limit.share permit a request every 100 s, so it would never reach the present`
          [a] location.name=x; CONTRADICTION; location.name; names the only location, but locations is given
          event.format=flat tombstones.on.delete=false; CONTRADICTION; tombstones.on.delete; cannot be false with event.format=flat, where a tombstone is the delete
          resources.products.parameters=a=1,FROMLASTMODIFIEDDATEUTC=x; CONTRADICTION; resources.products.parameters; gives FROMLASTMODIFIEDDATEUTC a second value, since resources.products.parameter.from names it
          [a,b] locations.a.parameters=page=1 resources.customers.snapshot=pages resources.customers.parameter.page.number=Page; CONTRADICTION; locations.a.parameters; gives page a second value, since resources.customers.parameter.page.number names it
          resources.customers.snapshot=pages resources.customers.parameter.from=PageNumber; CONTRADICTION; resources.customers.parameter.from; gives PageNumber a second value, since resources.customers.parameter.page.number names it
          resources.products.include.fields=name; CONTRADICTION; resources.products.include.fields; `leaves out productId, which key.fields, exclude.fields or hash.fields names: add it`
          resources.products.include.fields=productId resources.products.exclude.fields=name; CONTRADICTION; resources.products.include.fields; `leaves out name, which key.fields, exclude.fields or hash.fields names: add it`
          resources.products.include.fields=productId,a.b resources.products.hash.fields=a hash.salt=0123456789abcdef; CONTRADICTION; resources.products.include.fields; `leaves out a, which key.fields, exclude.fields or hash.fields names: add it`
          resources.customers.ignore.fields=email,CustomerId; CONTRADICTION; resources.customers.ignore.fields; `ignores the key field CustomerId: name other fields`
          resources.customers.exclude.fields=CustomerId; CONTRADICTION; resources.customers.exclude.fields; `removes the key field CustomerId: hash it instead`
          resources.register-transactions.exclude.fields=transactionId; CONTRADICTION; resources.register-transactions.exclude.fields; `removes the key field transactionId: hash it instead`
          resources.inventory.exclude.fields=a.b,inventoryID; CONTRADICTION; resources.inventory.exclude.fields; `removes the key field inventoryID: hash it instead`
          resources.customers.hash.fields=email; MISSING_SETTING; hash.salt; is needed, since resources.customers.hash.fields is given
          resources.products.schema={"type":"record","name":"P","fields":[]} resources.products.schema.file=/absent.avsc; CONTRADICTION; resources.products.schema.file; and resources.products.schema both declare the schema
          # Files exist, and a schema is a record.
          resources.products.schema="long"; INVALID_VALUE; resources.products.schema; `the schema is long: give an Avro schema of type "record"`
          resources.products.schema={"type":"record","name":"P","fields":[{"name":"a-b","type":"int"}]}; INVALID_VALUE; resources.products.schema; `the schema is not a valid Avro schema: Illegal character in: a-b`
          ssl.truststore.location=/absent.p12; UNREADABLE_FILE; ssl.truststore.location; /absent.p12 cannot be read on this worker as a file of at most 16 MiB
          ssl.keystore.location=/absent.p12; UNREADABLE_FILE; ssl.keystore.location; /absent.p12 cannot be read on this worker as a file of at most 16 MiB
          # A topic has one purpose.
          checkpoints.topic=pos.products; TOPIC_NAME; checkpoints.topic; gives checkpoints the topic pos.products, which is that of resource products (a dot counts as _)
          checkpoints.topic=x.y dead.letters.topic=x_y; TOPIC_NAME; dead.letters.topic; gives dead letters the topic x_y, which is that of checkpoints (a dot counts as _)
          offsets.storage.topic=pos.positions checkpoints.topic=pos_positions; TOPIC_NAME; checkpoints.topic; gives checkpoints the topic pos_positions, which is that of the connector's offsets (a dot counts as _)
          """)
  void refusesConfiguration(
      String given, Problem problem, String setting, @Nullable String detail) {
    if (detail == null) {
      assertThat(refusals(Props.of(given)))
          .containsExactly(Map.entry(setting, problem.at(setting)));
    } else {
      refuses(Props.of(given), problem, setting, detail);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "resources.products.path=/x",
        "resources.products.parameters=PageSize=500",
        "resources.customers.snapshot=pages resources.customers.page.size=50 resources.customers.snapshot.path=/x",
        "resources.customers.increments=pages resources.customers.page.size=50",
        "[a,b] locations.b.api.key=key-of-a locations.b.base.url=https://api.example.com:8443",
        "resources.products.path=/a/b/",
        "resources.products.path=/a.b/..c",
        "resources.products.path=/a%20b",
        "base.url=http://api.example.com allow.http=true",
        "base.url=http://localhost",
        "base.url=http://127.8.9.10:8080",
        "base.url=http://[::1]:8080",
        "base.url=http://[0:0:0:0:0:0:0:1]",
        "base.url=http://127.0.0.1 proxy.url=http://proxy.example.com:3128 allow.http=true",
        "base.url=https://127.0.0.1 proxy.url=http://proxy.example.com:3128",
        "[a,b] locations.b.api.key=key-of-a locations.b.base.url=https://b.example.com",
        "[a,b] base.url=https://api.example.com/A locations.b.api.key=key-of-a locations.b.base.url=https://api.example.com/a",
        "resources.register-transactions.hash.fields=transactionId,registerTransactionId hash.salt=0123456789abcdef",
        "[a,b] resources=products,inventory locations.b.resources=products locations.b.reconcile.interval.ms=0",
        "errors.streams=fail errors.fail.after.ms=0",
        "window.max.ms=69000 resources.register-transactions.requests.per.minute=1",
        "resources=products,inventory window.max.ms=60000 rate.limit.share=0.001",
        "window.max.ms=62000 rate.limit.share=1 resources.register-transactions.requests.per.minute=1",
        "[a,b] api.password=p locations.b.base.url=https://b.example.com locations.b.api.password=",
        "topic.prefix=kafka-connect-pos checkpoints.topic=kafka-connect-pos.offsets"
      })
  void acceptsConfiguration(String given) {
    accepts(Props.of(given));
  }

  /** Declares resources of such names, which are read as lists. */
  private static void lists(Props props, String... resources) {
    for (String resource : resources) {
      props
          .with("resources." + resource + ".path", "/" + resource)
          .with("resources." + resource + ".retrieval", "full")
          .with("resources." + resource + ".key.fields", "id");
    }
  }

  @Test
  void refusesTemplateThatGivesTwoResourcesOneTopic() {
    Props props =
        Props.of("[a,a-b] locations.a.resources=b-c locations.a-b.resources=c")
            .with("topic.template", "{location}-{resource}");
    lists(props, "b-c", "c");
    refuses(
        props,
        Problem.TOPIC_NAME,
        "topic.template",
        "gives resource c the topic a-b-c, which is that of resource b-c (a dot counts as _)");
  }

  /** A registry and generated classes would take the schemas of one for those of the other. */
  @ParameterizedTest
  @CsvSource({
    "gift-cards, gift--cards, GiftCards",
    "gift-cards, gift-cards-, GiftCards",
    "product, products, Product",
  })
  void refusesTwoResourcesWhoseSchemasHaveOneName(String one, String other, String name) {
    Props props =
        Props.of("[a,b] locations.a.resources=%s locations.b.resources=%s".formatted(one, other));
    lists(props, one, other);
    refuses(
        props,
        Problem.CONTRADICTION,
        "locations.b.resources",
        "has %s beside %s, and the keys of both would be called io.posconnect.%sKey: give one of them another name"
            .formatted(other, one, name));
  }

  @Test
  void refusesPlainHttpThroughTheProxyOfTheJvm() {
    ProxySelector before = ProxySelector.getDefault();
    ProxySelector.setDefault(
        ProxySelector.of(InetSocketAddress.createUnresolved("proxy.example", 3128)));
    try {
      refuses(
          Props.one().with("base.url", "http://127.0.0.1:8080"),
          Problem.UNENCRYPTED,
          "base.url",
          "would send the key of location default unencrypted");
    } finally {
      ProxySelector.setDefault(before);
    }
  }

  /** Every setting in every scope where it may not stand: never ignored, never an exception. */
  @Test
  void refusesEverySettingInTheWrongScope() {
    for (Setting<?> setting : Settings.ALL) {
      for (Scope scope : Scope.values()) {
        if (!setting.scopes().contains(scope)) {
          String name =
              switch (scope) {
                case GENERAL -> setting.name();
                case RESOURCE -> setting.forResource("products");
                case LOCATION -> scope.key("default", setting.name());
              };
          String wrong =
              scope == Scope.GENERAL ? "a general setting" : "a setting of a " + scope.noun();
          refuses(
              Props.one().with(name, "1"),
              Problem.UNKNOWN_SETTING,
              name,
              "is not " + wrong + "; it stands as " + setting.places());
        }
      }
    }
    assertThat(ResourceSettings.EXCLUDE_FIELDS.places())
        .isEqualTo("resources.<name>.exclude.fields");
    assertThat(ServiceSettings.API_KEY.places()).isEqualTo("api.key or locations.<name>.api.key");
  }

  @Test
  void requiresFullDescriptionOfOwnResource() {
    String path = "is needed, since resources has %s and no path of it is published";
    assertThat(
            refusals(
                Props.one()
                    .with("resources", "gift-cards")
                    .with("resources.gift-cards.page.size", "9")))
        .containsOnly(
            missing("resources.gift-cards.path", path.formatted("gift-cards")),
            missing(
                "resources.gift-cards.retrieval",
                "is needed, since the catalog lacks gift-cards: full, modified-since, date-range,"
                    + " pages or cursor"),
            missing(
                "resources.gift-cards.key.fields",
                "is needed: the fields that identify a row of gift-cards"));
  }

  private static Map.Entry<String, String> missing(String setting, String detail) {
    return Map.entry(setting, Problem.MISSING_SETTING.at(setting, detail));
  }

  @Test
  void refusesOccurrencesInFilteredReads() {
    for (String retrieval : List.of("modified-since", "date-range")) {
      Props props =
          Props.of(
                  "resources=visits resources.visits.path=/visits"
                      + " resources.visits.key.fields=door")
              .with("resources.visits.retrieval", retrieval)
              .with("resources.visits.occurrences", "true");
      refuses(
          props,
          Problem.CONTRADICTION,
          "resources.visits.occurrences",
          "equal rows of visits cannot be distinguished with "
              + retrieval
              + ": use full, pages or cursor, or set resources.visits.occurrences=false and name"
              + " key fields that identify its rows");
      for (Style style : Style.values()) {
        if (!style.filtered()) {
          accepts(props.with("resources.visits.retrieval", style.spelling()));
        }
      }
    }
    assertThat(
            refusals(
                Props.one()
                    .with("resources.loyalty-transactions.path", "/loyalty")
                    .with("resources.loyalty-transactions.retrieval", "date-range")))
        .containsOnlyKeys("resources.loyalty-transactions.retrieval");
  }

  @Test
  @Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
  void refusesUnreadableSchemaFileWithoutWaiting(@TempDir Path folder) throws Exception {
    Path pipe = folder.resolve("pipe.avsc");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Path broken = Files.writeString(folder.resolve("broken.avsc"), "\"string\"");

    for (Path file :
        List.of(pipe, broken, folder, Path.of("/dev/zero"), folder.resolve("absent.avsc"))) {
      refuses(
          Props.one().with("resources.products.schema.file", file.toString()),
          Problem.UNREADABLE_FILE,
          "resources.products.schema.file",
          file + NO_SCHEMA);
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "connect-offsets",
        "connect-pos-configs",
        "docker-connect-status",
        "my_connect_statuses",
        "__consumer_offsets",
        "__transaction_state",
        "_schemas"
      })
  void refusesTopicOfAnotherSystem(String topic) {
    for (String setting : List.of("checkpoints.topic", "dead.letters.topic")) {
      assertThat(refusals(Props.one().with(setting, topic)).get(setting))
          .startsWith("POS-109 " + setting + ": gives ")
          .contains(" the topic " + topic + ", a usual name of a topic of Kafka, Connect");
    }
  }

  @Test
  void refusesTopicThatIsTooLong() {
    Props props =
        Props.one()
            .with("topic.prefix", "p".repeat(240))
            .with("checkpoints.topic", "r")
            .with("status.topic", "s")
            .with("dead.letters.topic", "d");

    assertThat(refusals(props)).containsOnlyKeys("topic.template");
    assertThat(refusals(props).get("topic.template"))
        .startsWith("POS-109 topic.template: gives resource customers the topic pppp")
        .contains(
            ", which must be the name of a topic: letters, digits, dots, - and _, at most 249");
  }

  @Test
  void runsNoProviderThatTheConfigurationNames(@TempDir Path folder) throws IOException {
    Path secrets = Files.writeString(folder.resolve("secrets.properties"), "key=hush");

    SourceConfig config =
        Props.one()
            .with("config.providers", "mine")
            .with(
                "config.providers.mine.class",
                "org.apache.kafka.common.config.provider.FileConfigProvider")
            .with("user.agent", "${mine:" + secrets + ":key}")
            .config();

    assertThat(config.connection("default").userAgent()).isEqualTo("${mine:" + secrets + ":key}");
  }

  @Test
  void reportsAllFaultsAtOnce() {
    Props props =
        Props.one()
            .without("base.url")
            .without("api.key")
            .with("retry.backoff.ms", "400000")
            .with("exclude.fields", "email");

    assertThat(refusals(props))
        .containsOnlyKeys("base.url", "api.key", "retry.backoff.ms", "exclude.fields");
    assertThatThrownBy(props::config)
        .hasMessageContainingAll(
            "POS-102 exclude.fields: ",
            "POS-104 base.url: ",
            "POS-104 api.key: ",
            "POS-105 retry.backoff.ms: ");
  }

  @Test
  void callsServiceOnlyIfWantedAndOtherwiseFaultless() {
    AtomicInteger calls = new AtomicInteger();

    for (Props props :
        List.of(
            Props.one().without("api.key"),
            Props.one().with("validate.connection", "false"),
            Props.one())) {
      assertThat(calls).hasValue(0);
      SourceConfig.validate(
          props.map(),
          config -> List.of(),
          config -> {
            calls.incrementAndGet();
            return List.of();
          });
    }
    assertThat(calls).hasValue(1);
  }

  @Test
  void reportsFaultOfServiceAtSettingThatIsNotGiven() {
    Incident fault = Problem.PATH_UNKNOWN.incident("resources.products.path", "GET: answered 404");

    assertThat(
            SourceConfig.validate(Props.one().map(), c -> List.of(), c -> List.of(fault))
                .configValues())
        .filteredOn(value -> value.name().equals("resources.products.path"))
        .singleElement()
        .satisfies(v -> assertThat(v.errorMessages()).containsExactly(fault.toString()));
  }
}
