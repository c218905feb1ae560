package io.posconnect.tool;

import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Privacy.Action;
import io.posconnect.resource.Privacy.Field;
import io.posconnect.resource.Privacy.Fields;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Finds the fields of sampled rows that look personal and are neither excluded nor hashed, and the
 * private paths that no row has. A name or a value only hints at a person; a person decides.
 */
final class PersonalFields {

  private static final int MOST = 100;
  private static final int LONGEST_VALUE = 100;

  /** Within a name, of which only the letters count. */
  private static final Pattern NAME =
      Pattern.compile(
          ".*(e?mail|phone|mobile|birth|address|street|postalcode|zipcode|passport|license"
              + "|socialsecurity|(first|last|middle|given|family|sur|full|maiden|nick)name"
              + "|(customer|contact|patient|cardholder|user)name|(card|account)number).*"
              + "|dob|ssn|iban|gender");

  /** Other names within a value may be data themselves, such as an address of a person. */
  private static final Pattern WORD = Pattern.compile("[A-Za-z_][A-Za-z0-9_-]{0,60}");

  private static final Pattern VALUE =
      Pattern.compile(
          "[^@\\s]+@[^@\\s.]+(\\.[^@\\s.]+)+"
              + "|(\\+?\\d{1,3}[ .-])?(\\(\\d{3}\\) ?|\\d{3}[ .-])\\d{3}[ .-]\\d{4}"
              + "|\\+\\d[\\d ().-]{6,18}");

  private final Privacy privacy;
  private final List<KeyPart> key;
  final Set<String> found = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);

  /** The private paths that no row has; where there was no row, all of them. */
  final Set<String> unmet;

  /**
   * @param keyFields of the resource, which cannot be excluded
   */
  PersonalFields(Privacy privacy, List<String> keyFields) {
    this.privacy = privacy;
    this.unmet = new TreeSet<>(privacy.paths());
    this.key = KeyPart.all(keyFields);
  }

  /** Looks at a row that is an object. */
  void add(Row row) {
    add(row, "", privacy.fields());
  }

  private void add(Row object, String prefix, Fields rules) {
    for (int i = 0; i < object.size() && found.size() < MOST; i++) {
      String name = object.name(i);
      String path = prefix + name;
      Field rule = rules.find(name);
      boolean isKey = key.stream().anyMatch(part -> part.isNamed(path));
      boolean isName = prefix.isEmpty() || WORD.matcher(name).matches();
      if (rule.action() == Action.KEEP && !isKey && isName) {
        look(path, name, JsonText.of(object, i), rule.within());
      }
    }
  }

  private void look(String path, String name, JsonText value, Fields within) {
    switch (value.kind()) {
      case OBJECT -> add(value.fields(), path + ".", within);
      // An array on the way to a field does not count in its path.
      case ARRAY -> value.items().forEach(item -> look(path, name, item, within));
      case STRING, NUMBER -> {
        String letters = name.toLowerCase(Locale.ROOT).replaceAll("[^a-z]", "");
        if (NAME.matcher(letters).matches() || isPersonal(value)) {
          found.add(path);
        }
      }
      case BOOLEAN, NULL -> {}
    }
  }

  /** Returns whether a value looks personal, whatever its name. */
  static boolean isPersonal(JsonText value) {
    return value.kind() == Row.Kind.STRING
        && value.end() - value.start() <= LONGEST_VALUE
        && VALUE.matcher(value.value()).matches();
  }

  /**
   * The fields that were found, behind the paths that are excluded already; none within another.
   */
  List<String> toExclude() {
    List<String> found = List.copyOf(this.found);
    List<String> paths = new ArrayList<>(privacy.excluded());
    paths.removeIf(Privacy.holders(found));
    found.stream().filter(path -> !Privacy.holders(paths).test(path)).forEach(paths::add);
    return paths;
  }
}
