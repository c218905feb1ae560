package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.record.RecordBuilder;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.Stream;
import io.posconnect.task.RecordContracts;
import io.posconnect.tool.ResourceProfile.Kept;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Struct;

/**
 * Makes events of rows that were found, with the connector's own hands and the proposed
 * configuration, and looks at what they would leave in {@code extra}.
 *
 * @param events rows that became events
 * @param broken rows that could not
 * @param typeMismatches values that did not fit their type
 * @param inExtra the service's fields that stood in extra, and in how many events
 */
record Rehearsal(int events, int broken, long typeMismatches, Map<String, Integer> inExtra) {

  static Rehearsal of(SourceConfig config, List<Kept> rows) {
    Map<Stream, RowSchema> contracts = new HashMap<>();
    Map<Stream, RecordBuilder> builders = new HashMap<>();
    Map<String, Integer> inExtra = new TreeMap<>();
    int events = 0;
    int broken = 0;
    for (Kept kept : rows) {
      RowSchema contract =
          contracts.computeIfAbsent(kept.stream(), s -> RecordContracts.contract(config, s));
      RecordBuilder builder =
          builders.computeIfAbsent(
              kept.stream(),
              s ->
                  new RecordBuilder(
                      contract, RecordContracts.destination(config, s), () -> Instant.EPOCH));
      try {
        for (String name : extra(contract, builder, kept, config)) {
          inExtra.merge(name, 1, Integer::sum);
        }
        events++;
      } catch (BrokenRowException e) {
        broken++;
      }
    }
    long mismatches = builders.values().stream().mapToLong(RecordBuilder::typeMismatches).sum();
    return new Rehearsal(events, broken, mismatches, inExtra);
  }

  private static List<String> extra(
      RowSchema contract, RecordBuilder builder, Kept kept, SourceConfig config)
      throws BrokenRowException {
    var key = contract.keyOf(kept.row());
    if (config.resource(kept.stream()).occurrences()) {
      key = contract.occurrence(key, 1);
    }
    Provenance provenance = new Provenance(FetchKind.SNAPSHOT, Instant.EPOCH, true);
    Struct value =
        (Struct)
            builder.change(Operation.READ, key, kept.row(), provenance, Map.of(), Map.of()).value();
    Struct row = value.schema().field("after") == null ? value : value.getStruct("after");
    String extra = row.getString("extra");
    return extra == null ? List.of() : Row.parse(extra).names().list();
  }

  /** Whether every event says all in its typed fields. */
  boolean clean() {
    return inExtra.isEmpty() && typeMismatches == 0;
  }
}
