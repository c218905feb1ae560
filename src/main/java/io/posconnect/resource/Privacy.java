package io.posconnect.resource;

import io.posconnect.problem.Text;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Decides which fields of a resource's rows are removed, and which are replaced by a hash, before
 * any other step.
 *
 * <p>A path such as {@code customer.email} names a nested field. Arrays on the way do not count,
 * and names are compared by {@link FieldName}. Immutable; no method shows the salt.
 */
public final class Privacy {

  /** Leaves every row as it is. */
  public static final Privacy NONE = new Privacy(List.of(), List.of(), List.of(), "");

  private static final String ALGORITHM = "HmacSHA256";
  private static final int MARK_BYTES = 4;
  private static final int SHORTEST_SALT = 16;
  private static final int LONGEST_PATH = 1_000;

  /** Copied text brings invisible characters along, with which a path would name no field. */
  private static final String NAME = "(?![\\s\\p{Z}\\p{Cf}])[^.*|]++(?<![\\s\\p{Z}\\p{Cf}])";

  private static final Pattern PATH =
      Pattern.compile("(?s)(?!.*\\$\\{)" + NAME + "(\\." + NAME + ")*+");

  public enum Action {
    KEEP,
    HASH,
    EXCLUDE
  }

  private final byte[] salt;
  private final Map<Action, List<String>> given;
  private final Fields fields;

  /** The rules for fields that have no other names. */
  public Privacy(List<String> included, List<String> excluded, List<String> hashed, String salt) {
    this(included, excluded, hashed, salt, Stream::of);
  }

  /**
   * @param included paths of the only fields that are kept; empty for all
   * @param excluded paths of fields that are removed
   * @param hashed paths of fields that are replaced
   * @param salt of the hashes; may be empty when nothing is hashed
   * @param spellings of a path, composed: itself, and the others under which a row may have it
   * @throws IllegalArgumentException when a hash has too short a salt, without repeating it, or
   *     when two rules are for one field
   */
  public Privacy(
      List<String> included,
      List<String> excluded,
      List<String> hashed,
      String salt,
      Function<String, Stream<String>> spellings) {
    if (!hashed.isEmpty()) {
      checkSalt(salt);
    }
    this.salt = salt.getBytes(StandardCharsets.UTF_8);
    this.given =
        Map.of(
            Action.KEEP, List.copyOf(included),
            Action.EXCLUDE, List.copyOf(excluded),
            Action.HASH, List.copyOf(hashed));
    Map<String, Path> named = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    List<Path> paths = new ArrayList<>(paths(included, Action.KEEP, spellings).toList());
    Stream.concat(paths(excluded, Action.EXCLUDE, spellings), paths(hashed, Action.HASH, spellings))
        .filter(path -> isFirst(named.putIfAbsent(path.text(), path), path))
        .forEach(paths::add);
    refuseOverlaps(List.copyOf(named.keySet()));
    this.fields = new Fields(paths, !included.isEmpty());
  }

  private static Stream<Path> paths(
      List<String> given, Action action, Function<String, Stream<String>> spellings) {
    return given.stream()
        .flatMap(
            path ->
                spellings
                    .apply(FieldName.composed(path))
                    .map(text -> new Path(path, text, action)));
  }

  private static boolean isFirst(@Nullable Path other, Path path) {
    if (other != null && other.action() != path.action()) {
      refuseTwo(other.whole(), path.whole());
    }
    return other == null;
  }

  /**
   * Refuses a salt that can be found by trial, or is a reference still.
   *
   * @throws IllegalArgumentException that does not repeat the salt
   */
  public static void checkSalt(String salt) {
    Text.checkResolved("", salt);
    if (salt.length() < SHORTEST_SALT) {
      throw new IllegalArgumentException(
          "must have at least " + SHORTEST_SALT + " characters, or it can be found by trial");
    }
  }

  /**
   * Refuses paths that name no field, as an alias of a key field does not, and two paths of which
   * one is the other or lies within it, since it would be unclear which rule is meant.
   *
   * @throws IllegalArgumentException that names the first such path
   */
  public static void checkPaths(List<String> paths) {
    if (!paths.stream().allMatch(Privacy::isPath)) {
      throw new IllegalArgumentException(
          "must be names of fields, each once, such as email or customer.email, without *, |, ${ and"
              + " white space around a name");
    }
    refuseOverlaps(paths);
  }

  private static void refuseOverlaps(List<String> paths) {
    Map<String, String> given = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
    paths.forEach(path -> refuseTwo(given.put(FieldName.composed(path), path), path));
    given.forEach(
        (composed, path) ->
            around(composed).skip(1).forEach(outer -> refuseTwo(given.get(outer), path)));
  }

  private static void refuseTwo(@Nullable String one, String other) {
    if (one != null) {
      throw new IllegalArgumentException(
          "names %s and %s, one of which is or contains the other (exclude.fields and hash.fields count together): name only one of them"
              .formatted(one, other));
    }
  }

  private static boolean isPath(String path) {
    return path.length() <= LONGEST_PATH && PATH.matcher(path).matches();
  }

  /** Returns a test of whether one of the paths is a path, or holds it. */
  public static Predicate<String> holders(Collection<String> paths) {
    Set<String> composed = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    paths.forEach(path -> composed.add(FieldName.composed(path)));
    return path -> around(FieldName.composed(path)).anyMatch(composed::contains);
  }

  /** The path, then those of the objects around its field. */
  private static Stream<String> around(String path) {
    return Stream.iterate(path, way -> !way.isEmpty(), Privacy::outer);
  }

  private static String outer(String path) {
    return path.substring(0, Math.max(0, path.lastIndexOf('.')));
  }

  /**
   * A path within an object, and what happens to the field where it ends.
   *
   * @param whole as it was given
   * @param text what is left of it within the object, composed
   */
  private record Path(String whole, String text, Action action) {

    Path within(String name) {
      return new Path(whole, text.substring(name.length() + 1), action);
    }
  }

  /**
   * The named fields within one object.
   *
   * @param closed whether any other field is removed
   */
  public record Fields(List<Path> paths, boolean closed) {

    private static final Fields NONE = new Fields(List.of(), false);

    public Fields {
      paths = List.copyOf(paths);
    }

    public boolean isEmpty() {
      return paths.isEmpty();
    }

    /** Returns the rule for the field of that name, which may contain dots itself. */
    public Field find(String spelling) {
      String name = FieldName.composed(spelling);
      Action action = Action.KEEP;
      String rule = "";
      boolean open = !closed;
      List<Path> within = new ArrayList<>();
      for (Path path : paths) {
        if (path.text().equalsIgnoreCase(name)) {
          open |= path.action() == Action.KEEP;
          action = action == Action.KEEP ? path.action() : action;
          rule = path.whole();
        } else if (beginsWith(path.text(), name)) {
          within.add(path.within(name));
        }
      }
      if (!open && within.stream().noneMatch(path -> path.action() == Action.KEEP)) {
        return Field.UNLISTED;
      }
      if (action == Action.KEEP && within.isEmpty()) {
        return Field.KEPT;
      }
      return new Field(action, rule, new Fields(within, !open));
    }

    private static boolean beginsWith(String path, String name) {
      return path.length() > name.length()
          && path.charAt(name.length()) == '.'
          && path.regionMatches(true, 0, name, 0, name.length());
    }
  }

  /**
   * The rule for one field.
   *
   * @param path that names it, as it was given; empty for a field that is kept
   * @param within the rules for the fields within it, if it is kept
   */
  public record Field(Action action, String path, Fields within) {
    private static final Field KEPT = new Field(Action.KEEP, "", Fields.NONE);

    /** Of a field that is removed since no path names it. */
    public static final Field UNLISTED = new Field(Action.EXCLUDE, "", Fields.NONE);
  }

  public Fields fields() {
    return fields;
  }

  /** The paths of fields that are removed, as they were given. */
  public List<String> excluded() {
    return given(Action.EXCLUDE);
  }

  private List<String> given(Action action) {
    return given.getOrDefault(action, List.of());
  }

  /** The paths of fields that are removed or replaced; of several for one field the first. */
  public Set<String> paths() {
    return fields.paths().stream()
        .filter(path -> path.action() != Action.KEEP)
        .map(Path::whole)
        .collect(Collectors.toSet());
  }

  public boolean isEmpty() {
    return fields.isEmpty();
  }

  public boolean hashes() {
    return !given(Action.HASH).isEmpty();
  }

  /** Makes the hashes that replace values; for one thread. */
  public Mac mac() {
    try {
      Mac mac = Mac.getInstance(ALGORITHM);
      mac.init(new SecretKeySpec(salt, ALGORITHM));
      return mac;
    } catch (GeneralSecurityException e) {
      throw new IllegalStateException("every platform has " + ALGORITHM, e);
    }
  }

  /**
   * Describes these rules in an offset: another text means that rows read differently. It contains
   * a mark of the salt, so that a change of the salt is detected.
   */
  public String text() {
    List<String> rules = new ArrayList<>();
    if (fields.closed()) {
      rules.add("only " + text(Action.KEEP));
    }
    if (!excluded().isEmpty()) {
      rules.add("excluded " + text(Action.EXCLUDE));
    }
    if (hashes()) {
      rules.add("hashed " + text(Action.HASH) + " (salt " + saltMark() + ")");
    }
    return String.join(", ", rules);
  }

  private String text(Action action) {
    return given(action).stream()
        .distinct()
        .map(path -> FieldName.composed(path).toLowerCase(Locale.ROOT))
        .sorted()
        .collect(Collectors.joining(","));
  }

  /** Distinguishes one salt from another without revealing it. */
  public String saltMark() {
    byte[] mark = mac().doFinal("the salt".getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(mark, 0, MARK_BYTES);
  }

  @Override
  public String toString() {
    return text();
  }
}
