package io.posconnect.resource;

import java.text.Normalizer;
import java.text.Normalizer.Form;

/**
 * Compares names of fields: case does not count, and neither does the form in which Unicode writes
 * an accented letter, since an editor may write another one than the service.
 */
public final class FieldName {

  private FieldName() {}

  /** The name in Unicode's composed form (NFC). */
  public static String composed(String name) {
    return Normalizer.normalize(name, Form.NFC);
  }

  public static boolean isSame(String one, String other) {
    return composed(one).equalsIgnoreCase(composed(other));
  }
}
