package io.posconnect.json;

import io.posconnect.resource.Privacy;
import io.posconnect.resource.Privacy.Action;
import io.posconnect.resource.Privacy.Field;
import io.posconnect.resource.Privacy.Fields;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Leaves fields out of a row, and replaces others by their hash, while the row arrives: what is
 * excluded is never held, whatever its size. What is left is JSON without the blanks. For one
 * thread.
 *
 * <p>It is given only what {@link ValueCutter} has found to be in order. Of a row that is no object
 * nobody can say what is in it, so nothing of it is left but {@code null}.
 */
final class RowRedactor {

  private static final byte[] NULL = {'n', 'u', 'l', 'l'};

  // Of a character that is escaped.
  private static final int MOST_BYTES = 6;

  private enum Mode {
    /** Looks at every name. */
    WALK,
    COPY,
    SKIP,
    HASH
  }

  /** An object or array that is walked through. */
  private static final class Frame {
    private final boolean object;
    private final Fields fields;
    private boolean named;
    private boolean written;

    /** What is said of the value that follows: of every element, if this is an array. */
    private Field field;

    private Frame(boolean object, Field field) {
      this.object = object;
      this.fields = field.within();
      this.field = field;
    }
  }

  private final Privacy privacy;
  private final BodyLimits limits;
  private final ByteArrayOutputStream left = new ByteArrayOutputStream();
  private final Deque<Frame> frames = new ArrayDeque<>();

  // A name, or a value that is to be hashed.
  private final ByteArrayOutputStream part = new ByteArrayOutputStream();
  private Mode mode = Mode.WALK;
  private boolean inName;
  private boolean inString;
  private boolean escaped;
  private int nested;
  private int values;
  private boolean outgrown;
  private boolean withheld;
  private @Nullable FieldHash hash;
  private String excess = "";

  RowRedactor(Privacy privacy, BodyLimits limits) {
    this.privacy = privacy;
    this.limits = limits;
  }

  /** The next row begins. */
  void begin() {
    left.reset();
    frames.clear();
    mode = Mode.WALK;
    inName = false;
    inString = false;
    escaped = false;
    withheld = false;
    excess = "";
    forgetPart();
  }

  private void forgetPart() {
    part.reset();
    nested = 0;
    values = 0;
    outgrown = false;
  }

  /** What is left of the next bytes of the row. */
  byte[] take(byte[] bytes, int from, int count) throws BodyException {
    left.reset();
    for (int i = from; i < from + count && excess.isEmpty() && !withheld; i++) {
      next(bytes[i]);
    }
    return left.toByteArray();
  }

  /** What is left of the row when it has ended. */
  byte[] end() {
    return withheld ? NULL : new byte[0];
  }

  /** Which limit the row exceeds, so that it was not followed to its end. */
  Optional<String> excess() {
    return excess.isEmpty() ? Optional.empty() : Optional.of(excess);
  }

  private void next(byte b) throws BodyException {
    if (inString) {
      put(b);
      if (escaped) {
        escaped = false;
      } else if (b == '\\') {
        escaped = true;
      } else if (b == '"') {
        inString = false;
        if (inName) {
          inName = false;
          named();
        }
      }
    } else if (b != ' ' && b != '\n' && b != '\r' && b != '\t') {
      if (mode == Mode.WALK) {
        walk(b);
      } else {
        pass(b);
      }
    }
  }

  private void walk(byte b) throws BodyException {
    Frame frame = frames.peek();
    if (frame == null) {
      withheld = b != '{';
      if (!withheld) {
        open(b, new Field(Action.KEEP, privacy.fields()));
      }
    } else if (b == '}' || b == ']') {
      left.write(b);
      frames.pop();
    } else if (b == ',') {
      frame.named = false;
      if (!frame.object) {
        left.write(b);
      }
    } else if (b == ':') {
      frame.named = true;
    } else if (frame.object && !frame.named) {
      inName = true;
      inString = true;
      put(b);
    } else {
      value(b, frame.field);
    }
  }

  private void open(byte b, Field field) {
    if (frames.size() == limits.depth()) {
      excess = limits.depth() + " levels of nesting";
    } else {
      left.write(b);
      frames.push(new Frame(b == '{', field));
    }
  }

  /** The name that has ended is written with the colon, unless its field is left out. */
  private void named() throws BodyException {
    Frame frame = frames.element();
    frame.field = frame.fields.find(decoded());
    if (frame.field.action() != Action.EXCLUDE) {
      if (frame.written) {
        left.write(',');
      }
      frame.written = true;
      left.writeBytes(part.toByteArray());
      left.write(':');
    }
    forgetPart();
  }

  private String decoded() throws BodyException {
    try {
      return JsonText.of(Row.parse(part.toByteArray())).value();
    } catch (IllegalArgumentException e) {
      throw BodyException.of("is not JSON (the name of a field)");
    }
  }

  private void value(byte b, Field field) throws BodyException {
    boolean entered =
        (b == '[' && field.action() == Action.HASH)
            || ((b == '[' || b == '{')
                && field.action() == Action.KEEP
                && !field.within().isEmpty());
    if (entered) {
      open(b, field);
      return;
    }
    mode =
        switch (field.action()) {
          case KEEP -> Mode.COPY;
          case HASH -> Mode.HASH;
          case EXCLUDE -> Mode.SKIP;
        };
    pass(b);
  }

  /** Passes over a value of which no name counts; what follows it is not part of it. */
  private void pass(byte b) throws BodyException {
    boolean closing = b == '}' || b == ']';
    if (nested == 0 && (b == ',' || closing)) {
      if (mode == Mode.HASH) {
        left.writeBytes(hashed());
      }
      forgetPart();
      mode = Mode.WALK;
      walk(b);
      return;
    }
    nested += b == '{' || b == '[' ? 1 : closing ? -1 : 0;
    values += b == ',' ? 1 : 0;
    inString = b == '"';
    outgrown |= nested > limits.depth() || values > BodyLimits.MOST_VALUES;
    put(b);
  }

  private void put(byte b) {
    if (inName) {
      part.write(b);
      if (part.size() > MOST_BYTES * limits.nameLength() + 2) {
        excess = limits.nameLength() + " characters of one field's name";
      }
    } else if (mode == Mode.COPY) {
      left.write(b);
    } else if (mode == Mode.HASH) {
      part.write(b);
      if (part.size() > limits.rowBytes()) {
        outgrown = true;
        hash().add(part.toByteArray());
        part.reset();
      }
    }
  }

  /** A value that is too large to be held, or to be understood, is hashed as it came. */
  private byte[] hashed() throws BodyException {
    byte[] value = part.toByteArray();
    if (Arrays.equals(value, NULL)) {
      return NULL; // which says nothing but that there is nothing
    }
    if (outgrown) {
      hash().add(value);
      return quoted(hash().ofAdded());
    }
    try {
      return quoted(hash().of(value));
    } catch (IllegalArgumentException e) {
      throw BodyException.of("is not JSON (a field that is to be hashed)");
    }
  }

  private FieldHash hash() {
    FieldHash known = hash;
    if (known == null) {
      known = new FieldHash(privacy);
      hash = known;
    }
    return known;
  }

  private static byte[] quoted(String hex) {
    return ('"' + hex + '"').getBytes(StandardCharsets.US_ASCII);
  }
}
