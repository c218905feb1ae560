package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import io.posconnect.task.RecordContracts;
import io.posconnect.tool.DiscoveryReport.Finding;
import io.posconnect.tool.Sampler.Sample;
import io.posconnect.tool.Tool.UnreadableException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds out about one resource: takes its rows in, and concludes. */
final class Discovery {

  private final ConnectorConfig config;
  private final Resource resource;
  private final DeclaredFields declared;
  private final boolean keyKnown;
  private final boolean micros;
  private final TypeChoice.Catalog types;
  private final ResourceProfile profile;

  /**
   * @param stream one of the resource's
   * @param keyKnown whether somebody has said what identifies a row
   */
  Discovery(
      Contracts contracts,
      SourceConfig source,
      Stream stream,
      DeclaredFields declared,
      boolean keyKnown,
      boolean micros) {
    this.config = contracts.config();
    this.resource = source.resource(stream);
    this.declared = declared;
    this.keyKnown = keyKnown;
    this.micros = micros;
    this.types = new TypeChoice.Catalog(source.decimalMode());
    RowSchema contract = RecordContracts.contract(source, stream);
    this.profile = new ResourceProfile(declared, types, contract, resource.occurrences());
  }

  ResourceProfile profile() {
    return profile;
  }

  /** What the rows say, and what is to be made of it. */
  Finding conclude(List<Sample> samples) {
    List<String> candidates = profile.keyCandidates();
    Optional<String> found = keyKnown ? Optional.empty() : candidates.stream().findFirst();
    List<String> required = found.map(List::of).orElseGet(this::requiredFields);
    Proposal proposal = Proposal.of(declared, profile, types, micros, required);
    Map<String, String> settings = new HashMap<>();
    String prefix = "resources." + resource.name() + ".";
    settings.put(prefix + "schema", proposal.contract().toString());
    settings.put(prefix + "schema.file", "");
    settings.put(prefix + "fields", "");
    found.ifPresent(name -> settings.put(prefix + "key.fields", name));
    return new Finding(
        resource, keyKnown, profile, samples, candidates, proposal, settings, rehearsal(settings));
  }

  /** Tries the proposal; a schema that the connector refuses is a fault of this tool. */
  private Optional<Rehearsal> rehearsal(Map<String, String> settings) {
    if (profile.kept().isEmpty() || (!keyKnown && profile.keyCandidates().isEmpty())) {
      return Optional.empty();
    }
    try {
      return Optional.of(Rehearsal.of(config.with(settings).source(), profile.kept()));
    } catch (IllegalArgumentException e) {
      throw new UnreadableException(String.valueOf(e.getMessage()));
    }
  }

  /** Key fields that are not declared yet, but must be: a row without them has no key. */
  private List<String> requiredFields() {
    return resource.keyFields().stream()
        .map(KeyPart::of)
        .filter(part -> !part.nullable() && part.names().size() == 1)
        .flatMap(part -> part.names().stream())
        .toList();
  }
}
