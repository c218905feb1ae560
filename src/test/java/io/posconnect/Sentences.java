package io.posconnect;

import com.sun.source.tree.BinaryTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.LiteralTree;
import com.sun.source.tree.MemberSelectTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.ParenthesizedTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * What the code may say to an operator: every text of several words in the sources, by whatever way
 * it reaches a person, with an ellipsis for what is filled in. Left out is only what the house's
 * habits keep from operators, so that a new message cannot be forgotten.
 *
 * @param file it stands in
 */
record Sentences(String file, String text) {

  private static final Pattern HOLE = Pattern.compile("%[sd]|\\{}");
  private static final Pattern WORDS = Pattern.compile("\\p{Ll}[,;:]? (… )?\\p{Ll}");

  /**
   * Documentation of settings, metrics and schemas, remedies that end others' messages, and what
   * the configuration has made sure of before.
   */
  private static final Set<String> NO_MESSAGES =
      Set.of(
          "Blame",
          "ConfigDocs",
          "MetricTemplate",
          "MetricsDocs",
          "ReadingSettings",
          "RecordSettings",
          "Reports",
          "RequestUrl",
          "RunningSettings",
          "ServiceSettings",
          "Setting",
          "Source",
          "Stamp");

  /** What comes before the texts of classes that only end messages, as they say of themselves. */
  private static final Map<String, String> BEGINNINGS =
      Map.of(
          "Check", "must be ",
          "BodyFault", "the body ",
          "ContentCheck", "the body ",
          "Envelope", "the body ",
          "JsonBody", "the body ",
          "Declaration", "no records can be made of …: ",
          "KeyLayout", "no records can be made of …: ",
          "ScalarTypes", "no records can be made of …: ");

  /** Calls whose texts are documentation, no warning, or a detail within a message. */
  private static final Set<String> UNTOLD_CALLS =
      Set.of(
          "byText",
          "claim",
          "damaged",
          "debug",
          "doc",
          "equals",
          "in",
          "info",
          "load",
          "put",
          "requireNonNull",
          "startsWith",
          "wrong");

  /** What only ends or begins other messages. */
  private static final Set<String> DETAILS =
      Set.of(
          "…: the body …",
          "…; and … more",
          "a single value",
          "an array",
          "an object",
          "something unreadable");

  /** Exceptions that only a mistake in the code throws, or whose text is within another's. */
  private static final Set<String> UNTOLD_EXCEPTIONS =
      Set.of(
          "CeilingException",
          "DamagedException",
          "GeneralSecurityException",
          "IllegalStateException",
          "InvalidKeySpecException",
          "StoppedException",
          "UncheckedIOException");

  /** Whose illegal arguments are the operator's, rather than the code's. */
  private static final Set<String> TELLING =
      Set.of("Declaration", "KeyLayout", "ScalarTypes", "Tls");

  static List<Sentences> all() throws IOException {
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    List<Sentences> found = new ArrayList<>();
    try (Stream<Path> paths = Files.walk(Path.of("src/main/java"));
        StandardJavaFileManager files =
            compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      List<Path> sources = paths.filter(path -> path.toString().endsWith(".java")).toList();
      JavacTask task =
          (JavacTask)
              compiler.getTask(
                  null, files, null, null, null, files.getJavaFileObjectsFromPaths(sources));
      for (CompilationUnitTree unit : task.parse()) {
        String name = Path.of(unit.getSourceFile().getName()).getFileName().toString();
        String file = name.substring(0, name.indexOf('.'));
        if (!NO_MESSAGES.contains(file)) {
          new Search(found).scan(unit, file);
        }
      }
    }
    return found;
  }

  private static final class Search extends TreeScanner<Void, String> {

    private final List<Sentences> found;

    Search(List<Sentences> found) {
      this.found = found;
    }

    @Override
    public Void visitClass(ClassTree type, String file) {
      boolean untold = UNTOLD_EXCEPTIONS.contains(type.getSimpleName().toString());
      return untold ? null : super.visitClass(type, file);
    }

    @Override
    public Void visitMethod(MethodTree method, String file) {
      return method.getName().contentEquals("toString") ? null : super.visitMethod(method, file);
    }

    @Override
    public Void visitMethodInvocation(MethodInvocationTree call, String file) {
      boolean untold = UNTOLD_CALLS.contains(lastName(call.getMethodSelect()));
      return untold ? chained(call, file) : super.visitMethodInvocation(call, file);
    }

    /** What came before it in a chain of calls. */
    private Void chained(MethodInvocationTree call, String file) {
      return call.getMethodSelect() instanceof MemberSelectTree select
              && select.getExpression() instanceof MethodInvocationTree before
          ? scan(before, file)
          : null;
    }

    @Override
    public Void visitNewClass(NewClassTree made, String file) {
      String type = lastName(made.getIdentifier());
      boolean untold =
          UNTOLD_EXCEPTIONS.contains(type)
              || (type.equals("IllegalArgumentException") && !TELLING.contains(file));
      return untold ? null : super.visitNewClass(made, file);
    }

    @Override
    public Void visitBinary(BinaryTree sum, String file) {
      StringBuilder text = new StringBuilder();
      if (sum.getKind() == Tree.Kind.PLUS) {
        flatten(sum, text, file);
        note(text.toString(), file);
        return null;
      }
      return super.visitBinary(sum, file);
    }

    private void flatten(Tree part, StringBuilder text, String file) {
      if (part instanceof BinaryTree sum && sum.getKind() == Tree.Kind.PLUS) {
        flatten(sum.getLeftOperand(), text, file);
        flatten(sum.getRightOperand(), text, file);
      } else if (part instanceof MethodInvocationTree call
          && call.getMethodSelect() instanceof MemberSelectTree select
          && select.getIdentifier().contentEquals("formatted")) {
        flatten(select.getExpression(), text, file);
        scan(call.getArguments(), file);
      } else if (part instanceof ParenthesizedTree inner) {
        flatten(inner.getExpression(), text, file);
      } else if (part instanceof LiteralTree literal) {
        text.append(literal.getValue());
      } else {
        text.append('…');
        scan(part, file);
      }
    }

    @Override
    public Void visitLiteral(LiteralTree literal, String file) {
      if (literal.getValue() instanceof String text) {
        note(text, file);
      }
      return null;
    }

    private void note(String literal, String file) {
      String text = HOLE.matcher(literal).replaceAll("…");
      if (WORDS.matcher(text).find() && !DETAILS.contains(text)) {
        found.add(new Sentences(file, BEGINNINGS.getOrDefault(file, "") + text));
      }
    }

    private static String lastName(Tree name) {
      return name instanceof MemberSelectTree select
          ? select.getIdentifier().toString()
          : name instanceof IdentifierTree identifier ? identifier.getName().toString() : "";
    }
  }

  @Override
  public String toString() {
    return file + ": " + text;
  }
}
