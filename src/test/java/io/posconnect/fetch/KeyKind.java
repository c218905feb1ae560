package io.posconnect.fetch;

import io.posconnect.record.DeclaredSchemas;
import io.posconnect.record.RowSchema;
import io.posconnect.record.RowSchema.DecimalMode;
import io.posconnect.record.SchemaNames;
import io.posconnect.resource.Key;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.kafka.connect.data.Struct;

/** What the keys of rows are made of; each holds one whole number, whatever its spelling. */
@SuppressWarnings("ImmutableEnumChecker") // Neither a contract nor its list of texts changes.
enum KeyKind {
  NUMBER(List.of("id"), "{\"name\":\"id\",\"type\":\"long\"}") {
    @Override
    String text(long id, int spelling) {
      return "\"id\":" + id;
    }
  },
  TEXT(List.of("code"), "{\"name\":\"code\",\"type\":\"string\"}") {
    @Override
    String text(long id, int spelling) {
      return "\"code\":\"k\\\"" + id + "\\u00e9\"";
    }
  },
  /** Several fields, of which one may be null or absent. */
  COMPOSITE(
      List.of("id", "part?"),
      "{\"name\":\"id\",\"type\":\"long\"},{\"name\":\"part\",\"type\":[\"null\",\"string\"]}") {
    @Override
    String text(long id, int spelling) {
      String part = id % 1024 == 0 ? ",\"part\":\"p\"" : spelling == 0 ? ",\"part\":null" : "";
      return "\"id\":" + id + part;
    }
  },
  /** One of two fields. */
  ALIAS(
      List.of("code|name"),
      "{\"name\":\"code\",\"type\":[\"null\",\"string\"]},"
          + "{\"name\":\"name\",\"type\":[\"null\",\"string\"]}") {
    @Override
    String text(long id, int spelling) {
      String none = spelling == 0 ? "\"code\":null," : "";
      return (id % 1024 == 0 ? "\"code\"" : none + "\"name\"") + ":\"k" + id + "\"";
    }
  },
  DECIMAL(
      List.of("amount"),
      "{\"name\":\"amount\",\"type\":"
          + "{\"type\":\"bytes\",\"logicalType\":\"decimal\",\"precision\":38,\"scale\":9}}") {
    @Override
    String text(long id, int spelling) {
      return "\"amount\":" + id + List.of(".5", ".50", ".5e0").get(spelling);
    }
  };

  /** In so many ways the same key may be spelled. */
  static final int SPELLINGS = 3;

  private static final Pattern NUMBER_OF = Pattern.compile("\\D*(\\d+).*");

  private final List<String> fields;
  private final RowSchema distinct;
  private final RowSchema occurring;

  KeyKind(List<String> fields, String declared) {
    this.fields = fields;
    distinct = contract(declared, false);
    occurring = contract(declared, true);
  }

  private RowSchema contract(String declared, boolean occurrences) {
    return new RowSchema(
        DeclaredSchemas.parse(
            "{\"type\":\"record\",\"name\":\"Row\",\"fields\":["
                + declared
                + ",{\"name\":\"c\",\"type\":\"string\"}]}"),
        fields,
        occurrences,
        DecimalMode.PRECISE,
        SchemaNames.of("io.posconnect", "things"));
  }

  static KeyKind of(List<String> keyFields) {
    return List.of(values()).stream()
        .filter(kind -> kind.fields.equals(keyFields))
        .findFirst()
        .orElseThrow();
  }

  /** The setting {@code key.fields}. */
  List<String> fields() {
    return fields;
  }

  RowSchema contract(boolean occurrences) {
    return occurrences ? occurring : distinct;
  }

  /**
   * The fields of a row's key, as JSON without braces.
   *
   * @param spelling which of the {@link #SPELLINGS}
   */
  abstract String text(long id, int spelling);

  /** The number in a key. */
  static long number(Key key) {
    return number(key.toString());
  }

  /** The number in the key of a record. */
  static long number(Struct key) {
    Object first = key.get(key.schema().fields().get(1));
    return number(first.toString());
  }

  private static long number(String text) {
    return Long.parseLong(NUMBER_OF.matcher(text).replaceFirst("$1"));
  }
}
