import java.io.PrintStream;
import java.math.BigDecimal;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.ObjectMapper;
import org.apache.flink.shaded.jackson2.com.fasterxml.jackson.databind.node.ObjectNode;
import org.apache.flink.table.api.EnvironmentSettings;
import org.apache.flink.table.api.TableEnvironment;
import org.apache.flink.types.Row;
import org.apache.flink.types.RowKind;
import org.apache.flink.util.CloseableIterator;

/**
 * Runs statements in a Flink of its own process, then reads each table to its present end, and
 * writes the rows that are left as JSON, into a file for each table.
 *
 * <p>It runs as one file on the class path of Flink, which is never on that of the tests.
 */
public final class ReadTables {

  private static final String HINT = " /*+ OPTIONS('scan.bounded.mode' = 'latest-offset') */";
  private static final ObjectMapper JSON = new ObjectMapper();

  private ReadTables() {}

  /** Takes a file of statements, the folder to write to, and the tables. */
  public static void main(String... arguments) throws Exception {
    TableEnvironment flink = TableEnvironment.create(EnvironmentSettings.inStreamingMode());
    flink.getConfig().set("parallelism.default", "1");
    for (String statement : Files.readString(Path.of(arguments[0])).split(";\n")) {
      if (!statement.isBlank()) {
        flink.executeSql(statement);
      }
    }
    for (String table : List.of(arguments).subList(2, arguments.length)) {
      write(flink, table, Path.of(arguments[1], table));
    }
  }

  private static void write(TableEnvironment flink, String table, Path file) throws Exception {
    Map<String, Integer> rows = new TreeMap<>();
    try (CloseableIterator<Row> changes =
        flink.executeSql("SELECT * FROM " + table + HINT).collect()) {
      while (changes.hasNext()) {
        Row change = changes.next();
        boolean added = Set.of(RowKind.INSERT, RowKind.UPDATE_AFTER).contains(change.getKind());
        rows.merge(json(change).toString(), added ? 1 : -1, Integer::sum);
      }
    }
    try (PrintStream out =
        new PrintStream(Files.newOutputStream(file), false, StandardCharsets.UTF_8)) {
      rows.forEach((row, count) -> out.print((row + "\n").repeat(count)));
    }
  }

  private static ObjectNode json(Row row) {
    ObjectNode json = JSON.createObjectNode();
    for (String name : row.getFieldNames(true)) {
      Object value = row.getField(name);
      if (value instanceof Row nested) {
        json.set(name, json(nested));
      } else if (value instanceof BigDecimal number) {
        json.put(name, number);
      } else if (value instanceof Number || value instanceof Boolean || value instanceof byte[]) {
        json.putPOJO(name, value);
      } else if (value != null) {
        json.put(name, value.toString());
      }
    }
    return json;
  }
}
