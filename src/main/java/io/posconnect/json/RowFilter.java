package io.posconnect.json;

import com.fasterxml.jackson.core.io.JsonStringEncoder;
import io.posconnect.json.Row.Fault;
import io.posconnect.json.Row.Kind;
import io.posconnect.json.Row.Names;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Privacy.Action;
import io.posconnect.resource.Privacy.Field;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
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

  private final Privacy privacy;
  private final @Nullable FieldHash hash;
  private final Set<String> unmetPaths;
  private Layout layout;

  RowFilter(Privacy privacy) {
    this.privacy = privacy;
    this.hash = privacy.hashes() ? new FieldHash(privacy) : null;
    this.unmetPaths = new TreeSet<>(privacy.paths());
    this.layout = Layout.of(Names.NONE, privacy);
  }

  /**
   * The fields of rows that have the same names.
   *
   * @param all the names in the row
   * @param left the names of the fields that are not removed
   * @param labels for each field its name in quotes, with a colon
   */
  private record Layout(Names all, Names left, List<Field> fields, List<byte[]> labels) {

    private static Layout of(Names all, Privacy privacy) {
      List<String> names = all.list();
      List<Field> fields = names.stream().map(privacy.fields()::find).toList();
      String[] left =
          names.stream()
              .filter(name -> privacy.fields().find(name).action() != Action.EXCLUDE)
              .toArray(String[]::new);
      return new Layout(
          all, new Names(left), fields, names.stream().map(RowFilter::label).toList());
    }
  }

  private static byte[] label(String name) {
    return ('"' + String.valueOf(JsonStringEncoder.getInstance().quoteAsString(name)) + "\":")
        .getBytes(StandardCharsets.UTF_8);
  }

  /** The private paths that no row so far has. */
  Set<String> unmetPaths() {
    return unmetPaths;
  }

  private Field met(Field field) {
    if (field.action() != Action.KEEP) {
      unmetPaths.remove(field.path());
    }
    return field;
  }

  /** Returns the row without what is private. */
  Row filter(Row row) {
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

  private Row withheld(Row row, Fault fault) {
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
  private Row filtered(Row row, boolean shallow) {
    if (layout.all() != row.names()) {
      layout = Layout.of(row.names(), privacy);
      layout.fields().forEach(this::met);
    }
    int size = layout.left().list().size();
    Kind[] kinds = new Kind[size];
    int[] starts = new int[size];
    int[] ends = new int[size];
    ByteArrayOutputStream left = new ByteArrayOutputStream(row.bytes().length);
    left.write('{');
    int next = 0;
    for (int i = 0; i < row.size(); i++) {
      Field field = layout.fields().get(i);
      if (field.action() != Action.EXCLUDE) {
        writeComma(left, next);
        left.writeBytes(layout.labels().get(i));
        starts[next] = left.size();
        JsonText value = JsonText.of(row, i);
        Kind kind = shallow && isNested(value) ? copy(value, left) : write(value, field, left);
        kinds[next] = kind;
        ends[next] = left.size();
        next++;
      }
    }
    left.write('}');
    Row.Fields fields = new Row.Fields(layout.left(), kinds, starts, ends);
    return new Row(left.toByteArray(), Kind.OBJECT, fields, row.replaced());
  }

  private static void writeComma(ByteArrayOutputStream left, int place) {
    if (place > 0) {
      left.write(',');
    }
  }

  private static boolean isNested(JsonText value) {
    return value.kind() == Kind.OBJECT || value.kind() == Kind.ARRAY;
  }

  /** Writes what is left of a value, and returns the kind of that. */
  private Kind write(JsonText value, Field field, ByteArrayOutputStream left) {
    boolean hashed = field.action() == Action.HASH;
    if (value.kind() == Kind.ARRAY && (hashed || !field.within().isEmpty())) {
      return writeItems(value, field, left);
    }
    if (hash != null && hashed && value.kind() != Kind.NULL) {
      left.write('"');
      left.writeBytes(hash.of(value).getBytes(StandardCharsets.US_ASCII));
      left.write('"');
      return Kind.STRING;
    }
    if (value.kind() == Kind.OBJECT && !field.within().isEmpty()) {
      return writeFields(value, field, left);
    }
    return copy(value, left);
  }

  private static Kind copy(JsonText value, ByteArrayOutputStream left) {
    left.write(value.bytes(), value.start(), value.end() - value.start());
    return value.kind();
  }

  /** An array on the way to a field does not count. */
  private Kind writeItems(JsonText array, Field field, ByteArrayOutputStream left) {
    left.write('[');
    for (int i = 0; i < array.items().size(); i++) {
      writeComma(left, i);
      write(array.items().get(i), field, left);
    }
    left.write(']');
    return Kind.ARRAY;
  }

  private Kind writeFields(JsonText object, Field outer, ByteArrayOutputStream left) {
    left.write('{');
    int written = 0;
    for (int i = 0; i < object.items().size(); i++) {
      Field field = met(outer.within().find(object.names().get(i)));
      if (field.action() != Action.EXCLUDE) {
        writeComma(left, written++);
        left.writeBytes(label(object.names().get(i)));
        write(object.items().get(i), field, left);
      }
    }
    left.write('}');
    return Kind.OBJECT;
  }
}
