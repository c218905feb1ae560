package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.problem.Incident;
import io.posconnect.tool.StreamReader.Ending;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import org.apache.avro.Schema;

/**
 * What was discovered about a resource, and the contract to declare: the declared fields as they
 * are, followed by the new ones by name, so that readers of either contract understand both.
 *
 * @param decisions one for each field that was found, by name
 */
record Discovered(
    ResourceProfile profile,
    List<Ending> samples,
    List<FieldDecision> decisions,
    DeclaredFields contract) {

  /** The settings that apply it; an empty value removes one. */
  Map<String, String> settings() {
    String name = profile.resource.name();
    Map<String, String> settings =
        new HashMap<>(SourceConfig.declaring(name, contract.record().toString()));
    profile.foundKey().ifPresent(key -> settings.put("resources." + name + ".key.fields", key));
    return settings;
  }

  /** Declared fields that no row had. */
  List<String> unseen() {
    return profile.declared.record().getFields().stream()
        .filter(field -> with(each -> DeclaredFields.isNamed(field, each.field.name)).isEmpty())
        .map(Schema.Field::name)
        .toList();
  }

  /** The name under which consumers see a field of the service; empty when it stays in extra. */
  Optional<String> column(FieldProfile field) {
    return field.ambiguous ? Optional.empty() : contract.find(field.name).map(Schema.Field::name);
  }

  /** The decisions that are of a kind. */
  List<FieldDecision> with(Predicate<FieldDecision> kind) {
    return decisions.stream().filter(kind).toList();
  }

  /** Returns whether there is a contract to declare. */
  boolean hasContract() {
    return profile.proof.rows > 0 && (profile.keyKnown || profile.foundKey().isPresent());
  }

  List<Incident> incidents() {
    return samples.stream().flatMap(sample -> sample.incident().stream()).toList();
  }

  /** Returns whether all rows were read, and each can become an event that the contract types. */
  boolean isClean() {
    return incidents().isEmpty()
        && with(FieldDecision::isMismatch).isEmpty()
        && (profile.proof.rows == 0 || hasContract())
        && (profile.proof.broken.isEmpty() || !profile.keyKnown)
        && profile.proof.repeated + profile.unreadable == 0;
  }
}
