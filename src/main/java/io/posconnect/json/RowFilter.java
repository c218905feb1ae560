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
 * removed can be found by trying, but for its length.
 */
final class RowFilter {

  private static final byte[] WITHHELD = new byte[0];
  private static final byte[] NULL = "null".getBytes(StandardCharsets.US_ASCII);
  private static final int MOST_UNLISTED = 100;

  /** Stands for a byte that was not UTF-8. */
  private static final char REPLACED = '\uFFFD';

  /** A service may use data as names. */
  private static final Pattern PLAIN_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_.-]{0,99}");

  private final @Nullable FieldHash hash;
  private final RowReader reader = new RowReader(JsonText.JSON);
  private final Set<String> unmetPaths;
  private final Set<String> unlisted = new TreeSet<>();
  private final Names.Derived<List<Part>> layouts;

  RowFilter(Privacy privacy) {
    this.hash = privacy.hashes() ? new FieldHash(privacy) : null;
    this.unmetPaths = new TreeSet<>(privacy.paths());
    this.layouts = new Names.Derived<>(names -> layout(names, privacy.fields(), ""));
  }

  /**
   * A field of objects that have the same names.
   *
   * @param label its name in quotes, with a colon
   * @param within those of objects in it; null where no rule is for a field of them
   */
  @SuppressWarnings("ArrayRecordComponent") // never compared
  private record Part(Field field, byte[] label, Names.@Nullable Derived<List<Part>> within) {}

  private List<Part> layout(Names names, Fields rules, String way) {
    return names.list().stream().map(name -> part(name, rules, way)).toList();
  }

  private Part part(String name, Fields rules, String way) {
    Field field = met(rules, name, way);
    return new Part(
        field,
        (JsonText.quoted(name) + ":").getBytes(StandardCharsets.UTF_8),
        field.within().isEmpty()
            ? null
            : new Names.Derived<>(names -> layout(names, field.within(), way + name + ".")));
  }

  /** The private paths that no row so far has. */
  Set<String> unmetPaths() {
    return unmetPaths;
  }

  /** The paths of fields that no path names, and that were removed nevertheless. */
  Set<String> unlisted() {
    return unlisted;
  }

  /**
   * Finds the rule for a field.
   *
   * @param way the names of the fields that hold it, each with a dot; all of them are listed
   */
  private Field met(Fields rules, String name, String way) {
    // A name with a damaged byte may be that of any private field.
    Field field = name.indexOf(REPLACED) < 0 ? rules.find(name) : Field.UNLISTED;
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
    String kind = row.kind().name();
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
    writeFields(row, layouts.of(row.names()), shallow, left);
    return reader.read(left.toByteArray(), row.replaced());
  }

  private void writeFields(
      Row object, List<Part> layout, boolean shallow, ByteArrayOutputStream left) {
    left.write('{');
    int written = 0;
    for (int i = 0; i < object.size(); i++) {
      Part part = layout.get(i);
      if (part.field().action() != Action.EXCLUDE) {
        writeComma(left, written++);
        left.writeBytes(part.label());
        JsonText value = JsonText.of(object, i);
        if (shallow && isNested(value)) {
          copy(value, left);
        } else {
          write(value, part, left);
        }
      }
    }
    left.write('}');
  }

  private static void writeComma(ByteArrayOutputStream left, int place) {
    if (place > 0) {
      left.write(',');
    }
  }

  private static boolean isNested(JsonText value) {
    return value.kind() == Kind.OBJECT || value.kind() == Kind.ARRAY;
  }

  private void write(JsonText value, Part part, ByteArrayOutputStream left) {
    boolean hashed = part.field().action() == Action.HASH;
    Names.Derived<List<Part>> within = part.within();
    if (value.kind() == Kind.ARRAY && (hashed || within != null)) {
      writeItems(value, part, left);
    } else if (hash != null && hashed && value.kind() != Kind.NULL) {
      left.writeBytes(('"' + hash.of(value) + '"').getBytes(StandardCharsets.US_ASCII));
    } else if (value.kind() == Kind.OBJECT && within != null) {
      Row object = value.fields();
      writeFields(object, within.of(object.names()), false, left);
    } else if (part.field().within().closed() && !isNested(value)) {
      left.writeBytes(NULL); // Only fields within it are to be kept.
    } else {
      copy(value, left);
    }
  }

  private static void copy(JsonText value, ByteArrayOutputStream left) {
    left.write(value.bytes(), value.start(), value.end() - value.start());
  }

  /** An array on the way to a field does not count. */
  private void writeItems(JsonText array, Part part, ByteArrayOutputStream left) {
    left.write('[');
    List<JsonText> items = array.items();
    for (int i = 0; i < items.size(); i++) {
      writeComma(left, i);
      write(items.get(i), part, left);
    }
    left.write(']');
  }
}
