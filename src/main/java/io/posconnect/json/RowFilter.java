package io.posconnect.json;

import io.posconnect.json.Row.Fault;
import io.posconnect.json.Row.Kind;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Privacy.Action;
import io.posconnect.resource.Privacy.Field;
import io.posconnect.resource.Privacy.Fields;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Removes fields from a row, and replaces others by their hash, before anything else is done with
 * it: what is private is never stored, logged or published. For one thread.
 *
 * <p>Only fields can be removed, so the text of a row that is broken or no object is withheld. The
 * hash of such a row covers its length and what is left of its readable fields; nothing that is
 * removed can be found by trying.
 */
final class RowFilter {

  private static final byte[] WITHHELD = new byte[0];
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
  private static final int MOST_UNLISTED = 100;

  /** A service may use data as names. */
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,99}");

  private final @Nullable FieldHash hash;
  private final RowReader reader = new RowReader(JsonText.JSON);
  private final Set<String> unmetPaths;
  private final Set<String> unlisted = new TreeSet<>();
  private final Names.Derived<Layout> layouts;

  RowFilter(Privacy privacy) {
    this.hash = privacy.hashes() ? new FieldHash(privacy) : null;
    this.unmetPaths = new TreeSet<>(privacy.paths());
    this.layouts = new Names.Derived<>(names -> layout(names, privacy.fields(), ""));
  }

  /**
   * The fields of rows that have the same names.
   *
   * @param labels for each field its name in quotes, with a colon
   */
  private record Layout(List<Field> fields, List<byte[]> labels) {}

  private Layout layout(Names names, Fields rules, String way) {
    List<Field> fields = names.list().stream().map(name -> met(rules, name, way)).toList();
    return new Layout(fields, names.list().stream().map(RowFilter::label).toList());
  }

  private static byte[] label(String name) {
    return (JsonText.quoted(name) + ":").getBytes(StandardCharsets.UTF_8);
  }

  /** The private paths that no row so far has. */
  Set<String> unmetPaths() {
    return unmetPaths;
  }

  /** The paths of fields that were removed since the list of those to keep lacks them. */
  Set<String> unlisted() {
    return unlisted;
  }

  /**
   * Finds the rule for a field.
   *
   * @param way the names of the fields that hold it, each with a dot; all of them are listed
   */
  private Field met(Fields rules, String name, String way) {
    Field field = rules.find(name);
    if (field.action() != Action.KEEP) {
      unmetPaths.remove(field.path());
    }
    if (field.equals(Field.UNLISTED) && unlisted.size() < MOST_UNLISTED) {
      unlisted.add(way + (PLAIN_NAME.matcher(name).matches() ? name : "…"));
    }
    return field;
  }

  Row filter(Row row) throws IOException {
    if (row.fault().isPresent()) {
      return withheld(row, row.fault().get());
    }
    if (row.kind() == Kind.OBJECT) {
      return filtered(row, false);
    }
    String kind = row.kind().name().toLowerCase(Locale.ROOT);
    return withheld(
        row, new Fault(Fault.Type.NOT_AN_OBJECT, kind, row.length(), "", Row.NOTHING, true));
  }

  private Row withheld(Row row, Fault fault) throws IOException {
    Row readable =
        fault.readable().kind() == Kind.OBJECT ? filtered(fault.readable(), true) : Row.NOTHING;
    MessageDigest sha256 = Row.sha256();
    sha256.update(readable.bytes());
    sha256.update((" " + fault.length()).getBytes(StandardCharsets.US_ASCII));
    String left = HexFormat.of().formatHex(sha256.digest());
    return Row.broken(
        new Fault(fault.type(), fault.detail(), fault.length(), left, readable, fault.complete()),
        WITHHELD,
        row.replaced());
  }

  /**
   * The object without what is private.
   *
   * @param shallow whether objects and arrays in it are shown empty, and stay so
   */
  private Row filtered(Row row, boolean shallow) throws IOException {
    ByteArrayOutputStream left = new ByteArrayOutputStream(row.bytes().length);
    writeFields(row, layouts.of(row.names()), "", shallow, left);
    return reader.read(left.toByteArray(), row.replaced());
  }

  private void writeFields(
      Row object, Layout layout, String way, boolean shallow, ByteArrayOutputStream left) {
    left.write('{');
    int written = 0;
    for (int i = 0; i < object.size(); i++) {
      Field field = layout.fields().get(i);
      if (field.action() != Action.EXCLUDE) {
        writeComma(left, written++);
        left.writeBytes(layout.labels().get(i));
        JsonText value = JsonText.of(object, i);
        if (shallow && isNested(value)) {
          copy(value, left);
        } else {
          write(value, field, wayInto(object, i, field, way), left);
        }
      }
    }
    left.write('}');
  }

  /** Only fields that hold named ones need it. */
  private static String wayInto(Row object, int i, Field field, String way) {
    return field.within().isEmpty() ? "" : way + object.names().list().get(i) + ".";
  }

  private static void writeComma(ByteArrayOutputStream left, int place) {
    if (place > 0) {
      left.write(',');
    }
  }

  private static boolean isNested(JsonText value) {
    return value.kind() == Kind.OBJECT || value.kind() == Kind.ARRAY;
  }

  private void write(JsonText value, Field field, String way, ByteArrayOutputStream left) {
    boolean hashed = field.action() == Action.HASH;
    if (value.kind() == Kind.ARRAY && (hashed || !field.within().isEmpty())) {
      writeItems(value, field, way, left);
    } else if (hash != null && hashed && value.kind() != Kind.NULL) {
      left.writeBytes(('"' + hash.of(value) + '"').getBytes(StandardCharsets.US_ASCII));
    } else if (value.kind() == Kind.OBJECT && !field.within().isEmpty()) {
      Row object = value.fields();
      writeFields(object, layout(object.names(), field.within(), way), way, false, left);
    } else if (field.within().closed() && !isNested(value)) {
      left.writeBytes(NULL); // Only fields within it are to be kept.
    } else {
      copy(value, left);
    }
  }

  private static void copy(JsonText value, ByteArrayOutputStream left) {
    left.write(value.bytes(), value.start(), value.end() - value.start());
  }

  /** An array on the way to a field does not count. */
  private void writeItems(JsonText array, Field field, String way, ByteArrayOutputStream left) {
    left.write('[');
    List<JsonText> items = array.items();
    for (int i = 0; i < items.size(); i++) {
      writeComma(left, i);
      write(items.get(i), field, way, left);
    }
    left.write(']');
  }
}
