package io.posconnect.resource;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Says which fields of a resource's rows are left out, and which are replaced by a hash, before
 * anything else is done with a row.
 *
 * <p>A path such as {@code customer.email} names a field within a field. Arrays on the way do not
 * count, and neither does the case of letters. Immutable; shows its salt to nobody.
 */
public final class Privacy {

  /** Leaves every row as it is. */
  public static final Privacy NONE = new Privacy(List.of(), List.of(), "");

  private static final String ALGORITHM = "HmacSHA256";
  private static final int MARK_BYTES = 4;

  /** What becomes of a field. */
  public enum Action {
    KEEP,
    HASH,
    EXCLUDE
  }

  private final List<String> excluded;
  private final List<String> hashed;
  private final byte[] salt;
  private final Fields fields;

  /**
   * @param excluded paths of fields that are left out
   * @param hashed paths of fields that are replaced
   * @param salt of the hashes; may be empty when nothing is hashed
   */
  public Privacy(List<String> excluded, List<String> hashed, String salt) {
    if (salt.isEmpty() && !hashed.isEmpty()) {
      throw new IllegalArgumentException("a hash needs a salt");
    }
    this.excluded = sorted(excluded);
    this.hashed = sorted(hashed);
    this.salt = salt.getBytes(StandardCharsets.UTF_8);
    this.fields =
        new Fields(
            Stream.concat(
                    excluded.stream().map(path -> new Path(path, Action.EXCLUDE)),
                    hashed.stream().map(path -> new Path(path, Action.HASH)))
                .toList());
  }

  private static List<String> sorted(List<String> paths) {
    return paths.stream().map(path -> path.toLowerCase(Locale.ROOT)).sorted().toList();
  }

  /** A path within an object, and what becomes of the field where it ends. */
  private record Path(String text, Action action) {}

  /** The named fields within one object. */
  public record Fields(List<Path> paths) {

    private static final Fields NONE = new Fields(List.of());

    public Fields {
      paths = List.copyOf(paths);
    }

    public boolean isEmpty() {
      return paths.isEmpty();
    }

    /** What is said of the field of that name. A name may hold dots itself. */
    public Field find(String name) {
      Action action = Action.KEEP;
      List<Path> within = new ArrayList<>();
      for (Path path : paths) {
        if (path.text().equalsIgnoreCase(name)) {
          action = action == Action.EXCLUDE ? action : path.action();
        } else if (beginsWith(path.text(), name)) {
          within.add(new Path(path.text().substring(name.length() + 1), path.action()));
        }
      }
      if (action == Action.KEEP && within.isEmpty()) {
        return Field.KEPT;
      }
      return new Field(action, new Fields(within));
    }

    private static boolean beginsWith(String path, String name) {
      return path.length() > name.length()
          && path.charAt(name.length()) == '.'
          && path.regionMatches(true, 0, name, 0, name.length());
    }
  }

  /**
   * What is said of one field.
   *
   * @param within what is said of the fields within it, if it is kept
   */
  public record Field(Action action, Fields within) {
    private static final Field KEPT = new Field(Action.KEEP, Fields.NONE);
  }

  /** The named fields of a row. */
  public Fields fields() {
    return fields;
  }

  public boolean isEmpty() {
    return fields.isEmpty();
  }

  public boolean hashes() {
    return !hashed.isEmpty();
  }

  /** What replaces a value is made with it; for one thread. */
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
   * Where it stands in an offset: another text means that rows read differently. Of the salt it
   * shows so much that another one is noticed.
   */
  public String text() {
    List<String> said = new ArrayList<>();
    if (!excluded.isEmpty()) {
      said.add("excluded " + String.join(",", excluded));
    }
    if (!hashed.isEmpty()) {
      said.add("hashed " + String.join(",", hashed) + " (salt " + saltMark() + ")");
    }
    return String.join(", ", said);
  }

  /** What tells one salt from another without telling it. */
  public String saltMark() {
    byte[] mark = mac().doFinal("the salt".getBytes(StandardCharsets.UTF_8));
    return HexFormat.of().formatHex(mark, 0, MARK_BYTES);
  }

  @Override
  public String toString() {
    return text();
  }
}
