package io.posconnect.simulator;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.junit.jupiter.api.Test;

class LawTest {

  @Test
  void theSimulatorKnowsNothingOfTheConnector() {
    JavaClasses simulator = new ClassFileImporter().importPackages("io.posconnect.simulator");
    classes()
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(
            "io.posconnect.simulator",
            "java..",
            "javax.net..",
            "com.fasterxml..",
            "org.junit..",
            "org.assertj..",
            "org.awaitility..",
            "net.jqwik..",
            "com.tngtech..",
            "org.apiguardian..",
            "")
        .because("a simulator that shares the connector's catalog shares its errors")
        .check(simulator);
  }
}
