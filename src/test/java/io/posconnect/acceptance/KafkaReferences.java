package io.posconnect.acceptance;

import com.tngtech.archunit.core.domain.AccessTarget;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaConstructor;
import com.tngtech.archunit.core.domain.properties.HasName;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.posconnect.Io;
import java.io.IOException;
import java.lang.reflect.Executable;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Every class, method and field of Kafka that our classes name, held against the jars of a worker:
 * one that is not there would be an error at the moment in which it is first used.
 *
 * @param checked how many different ones there are
 * @param missing those that the jars have not
 */
record KafkaReferences(int checked, Set<String> missing) {

  private static final String KAFKA = "org.apache.kafka.";

  /** The command line tool is not in the archive. */
  private static final String TOOL = "io.posconnect.tool";

  static KafkaReferences in(Path jars) throws IOException {
    try (URLClassLoader worker =
        new URLClassLoader(Io.urls(jars), ClassLoader.getPlatformClassLoader())) {
      Set<String> checked = new TreeSet<>();
      Set<String> missing = new TreeSet<>();
      for (JavaClass ours : new ClassFileImporter().importPath(Path.of("target", "classes"))) {
        if (ours.getPackageName().startsWith(TOOL)) {
          continue;
        }
        for (Dependency dependency : ours.getDirectDependenciesFromSelf()) {
          String name = dependency.getTargetClass().getBaseComponentType().getName();
          if (name.startsWith(KAFKA) && checked.add(name) && load(worker, name).isEmpty()) {
            missing.add(name);
          }
        }
        for (JavaAccess<?> access : ours.getAccessesFromSelf()) {
          AccessTarget target = access.getTarget();
          if (target.getOwner().getName().startsWith(KAFKA)
              && checked.add(target.getFullName())
              && !has(worker, target)) {
            missing.add(target.getFullName());
          }
        }
      }
      return new KafkaReferences(checked.size(), missing);
    }
  }

  private static Optional<Class<?>> load(ClassLoader worker, String name) {
    try {
      return Optional.of(Class.forName(name, false, worker));
    } catch (ClassNotFoundException e) {
      return Optional.empty();
    }
  }

  private static boolean has(ClassLoader worker, AccessTarget target) {
    return load(worker, target.getOwner().getName())
        .map(owner -> family(owner).stream().anyMatch(type -> declares(type, target)))
        .orElse(false);
  }

  /** The class and all that it inherits from. */
  private static List<Class<?>> family(Class<?> type) {
    List<Class<?>> all = new ArrayList<>(List.of(type));
    if (type.getSuperclass() != null) {
      all.addAll(family(type.getSuperclass()));
    }
    for (Class<?> parent : type.getInterfaces()) {
      all.addAll(family(parent));
    }
    return all;
  }

  private static boolean declares(Class<?> type, AccessTarget target) {
    if (target instanceof AccessTarget.FieldAccessTarget field) {
      return Arrays.stream(type.getDeclaredFields())
          .anyMatch(
              each ->
                  each.getName().equals(target.getName())
                      && each.getType().getName().equals(field.getRawType().getName()));
    }
    AccessTarget.CodeUnitAccessTarget called = (AccessTarget.CodeUnitAccessTarget) target;
    if (called.getName().equals(JavaConstructor.CONSTRUCTOR_NAME)) {
      return Arrays.stream(type.getDeclaredConstructors()).anyMatch(each -> takes(each, called));
    }
    return Arrays.stream(type.getDeclaredMethods())
        .anyMatch(
            each ->
                each.getName().equals(called.getName())
                    && takes(each, called)
                    && each.getReturnType().getName().equals(called.getRawReturnType().getName()));
  }

  private static boolean takes(Executable each, AccessTarget.CodeUnitAccessTarget called) {
    return Arrays.stream(each.getParameterTypes())
        .map(Class::getName)
        .toList()
        .equals(called.getRawParameterTypes().stream().map(HasName::getName).toList());
  }
}
