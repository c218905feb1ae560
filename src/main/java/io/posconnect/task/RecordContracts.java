package io.posconnect.task;

import io.posconnect.config.SourceConfig;
import io.posconnect.offset.DigestScope;
import io.posconnect.problem.Incident;
import io.posconnect.problem.Problem;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.KeyPart;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Privacy.Action;
import io.posconnect.resource.Request.Parameter;
import io.posconnect.resource.Resource;
import io.posconnect.resource.Stream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.apache.avro.Schema;

/** Makes the form of a stream's records from the configuration. */
public final class RecordContracts {

  private static final int LONGEST_TEXT = 100;
  private static final int MARK = 8;

  private RecordContracts() {}

  /**
   * The contract of a stream's resource: the user's schema, else the published one, else its key
   * fields alone; with the fields that the configuration adds.
   *
   * @throws IllegalArgumentException when the schema cannot be honoured
   */
  public static RowSchema contract(SourceConfig config, Stream stream) {
    try {
      return build(config, stream);
    } catch (IllegalArgumentException e) {
      String detail = String.valueOf(e.getMessage());
      throw new IllegalArgumentException(Problem.UNUSABLE_SCHEMA.at(stream.id(), detail), e);
    }
  }

  private static RowSchema build(SourceConfig config, Stream stream) {
    Resource resource = config.resource(stream);
    return new RowSchema(
        declared(config, stream),
        resource.keyFields(),
        resource.occurrences(),
        config.decimalMode(),
        config.schemaNames(stream.resource()));
  }

  /** The Avro schema that a stream's contract is made of. */
  public static Schema declared(SourceConfig config, Stream stream) {
    Schema declared = config.declared(stream);
    PrivateFields.check(declared, config.key(stream), config.privacy(stream.resource()).fields());
    return declared;
  }

  /** The declarations of which no records can be made, each fault once a resource. */
  public static List<Incident> faults(SourceConfig config) {
    List<Incident> faults = new ArrayList<>();
    Set<String> built = new HashSet<>();
    for (Stream stream : config.streams()) {
      if (built.add(stream.resource())) {
        try {
          RowSchema contract = build(config, stream);
          contract.refuseTwinRecords(config.destination(stream).format());
        } catch (IllegalArgumentException e) {
          String detail = String.valueOf(e.getMessage());
          faults.add(config.fault(Problem.UNUSABLE_SCHEMA, stream, detail));
        }
      }
    }
    return faults;
  }

  /** The scope of a stream's digest. */
  public static DigestScope scope(SourceConfig config, Stream stream, RowSchema contract) {
    Resource resource = config.resource(stream);
    Privacy privacy = config.privacy(stream.resource());
    return new DigestScope(
        config.topics().of(stream),
        contract.keyLayout() + hashedKeys(resource, privacy),
        shortened(
            joined(
                "; ",
                resource.ignoreFields().stream().sorted().collect(Collectors.joining(",")),
                privacy.text())),
        shortened(
            joined(
                " with ",
                resource.retrieval().style().spelling() + " " + resource.path(),
                parameters(resource.parameters()))),
        contract.contract().text());
  }

  /** Their names, and a mark of their values. */
  private static String parameters(List<Parameter> parameters) {
    List<Parameter> inOrder =
        parameters.stream().sorted(Comparator.comparing(Parameter::name)).toList();
    return parameters.isEmpty()
        ? ""
        : inOrder.stream().map(Parameter::name).collect(Collectors.joining(","))
            + " "
            + hash(inOrder.toString()).substring(0, MARK);
  }

  /** A key that is hashed now is another one than before, and so it is under another salt. */
  private static String hashedKeys(Resource resource, Privacy privacy) {
    String hashed =
        KeyPart.all(resource.keyFields()).stream()
            .flatMap(part -> part.names().stream())
            .filter(field -> privacy.fields().find(field).action() == Action.HASH)
            .collect(Collectors.joining(","));
    return hashed.isEmpty() ? "" : ", " + hashed + " hashed with salt " + privacy.saltMark();
  }

  /** It stands in every offset, so a long text becomes its beginning and a hash. */
  private static String shortened(String text) {
    if (text.length() <= LONGEST_TEXT) {
      return text;
    }
    String hash = hash(text);
    return text.substring(0, LONGEST_TEXT - hash.length() - 1) + "…" + hash;
  }

  private static String hash(String text) {
    return UUID.nameUUIDFromBytes(text.getBytes(StandardCharsets.UTF_8)).toString();
  }

  private static String joined(String separator, String... texts) {
    return Arrays.stream(texts)
        .filter(text -> !text.isEmpty())
        .collect(Collectors.joining(separator));
  }
}
