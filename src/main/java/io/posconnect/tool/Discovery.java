package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.record.DeclaredSchemas;
import io.posconnect.record.FieldList;
import io.posconnect.record.RowSchema;
import io.posconnect.record.SchemaNames;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import io.posconnect.task.RecordContracts;
import io.posconnect.tool.DiscoveryReport.Discovered;
import io.posconnect.tool.Sampler.Sample;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.avro.Schema;

/** Discovers one resource: profiles its rows, and concludes with a proposal. */
final class Discovery {

  private final DeclaredFields declared;
  final Resource resource;
  final boolean keyKnown;
  final ResourceProfile profile;

  /**
   * @param stream any of the resource's
   * @param micros whether a time finer than a millisecond may be a number of microseconds
   * @param typeKeys whether the key of a resource without a schema may get another type than text
   */
  Discovery(
      DiscoveryBase base, SourceConfig source, Stream stream, boolean micros, boolean typeKeys) {
    resource = source.resource(stream);
    keyKnown = !base.keyless().contains(resource.name());
    declared = new DeclaredFields(declared(source, stream, typeKeys));
    TypeChoice.Catalog types = new TypeChoice.Catalog(source.decimalMode(), micros);
    RowSchema contract = RecordContracts.contract(source, stream);
    PersonalFields personal =
        new PersonalFields(source.privacy(resource.name()), resource.keyFields());
    KeyProof proof = new KeyProof(contract, resource.occurrences());
    profile = new ResourceProfile(declared, types, proof, personal);
  }

  /** What is declared so far; nothing but a name where even the type of the key is open. */
  private Schema declared(SourceConfig source, Stream stream, boolean typeKeys) {
    boolean undeclared =
        source.schema(resource.name()).isEmpty()
            && DeclaredSchemas.builtIn(resource.name()).isEmpty();
    if (keyKnown && !(typeKeys && undeclared)) {
      return RecordContracts.declared(source, stream);
    }
    SchemaNames names = SchemaNames.of(source.schemaNamespace(), resource.name());
    return FieldList.keysOnly(names.base(), List.of());
  }

  Discovered conclude(List<Sample> samples) {
    Optional<String> found = profile.keyCandidates().stream().filter(any -> !keyKnown).findFirst();
    List<FieldDecision> decisions = profile.fields().stream().map(FieldDecision::of).toList();
    Proposal proposal =
        Proposal.of(declared, decisions, found.map(List::of).orElseGet(this::requiredFields));
    String contract = proposal.contract().toString();
    Map<String, String> settings = new HashMap<>(SourceConfig.declaring(resource.name(), contract));
    found.ifPresent(name -> settings.put("resources." + resource.name() + ".key.fields", name));
    return new Discovered(this, samples, proposal, settings);
  }

  /** Key fields that must be declared: without them a row has no key. */
  private List<String> requiredFields() {
    return KeyPart.all(resource.keyFields()).stream()
        .filter(part -> !part.nullable() && part.names().size() == 1)
        .flatMap(part -> part.names().stream())
        .toList();
  }
}
