package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import io.posconnect.tool.ResourceProfile.Kept;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.apache.kafka.connect.data.Struct;

/**
 * The events that the connector's own classes make of sampled rows with the proposed configuration,
 * and what those events leave in {@code extra}.
 *
 * @param events number of rows that became events
 * @param broken number of rows that could not
 * @param typeMismatches number of values that did not fit their type
 * @param inExtra the service's fields that stood in extra, with the number of events
 */
record ProposalTrial(int events, int broken, long typeMismatches, Map<String, Integer> inExtra) {

  private static final Provenance PROVENANCE =
      new Provenance(FetchKind.SNAPSHOT, Instant.EPOCH, true);

  /** Names of the fields that stand in extra. */
  private static List<String> extra(RowWriter writer, Row row) throws BrokenRowException {
    Key key = writer.key(row);
    Struct value =
        (Struct)
            writer
                .builder()
                .change(Operation.READ, key, row, PROVENANCE, Map.of(), Map.of())
                .value();
    Struct event = value.schema().field("after") == null ? value : value.getStruct("after");
    String extra = event.getString("extra");
    return extra == null ? List.of() : Row.parse(extra).names().list();
  }

  static ProposalTrial of(SourceConfig config, List<Kept> rows) {
    Map<Stream, RowWriter> writers = new HashMap<>();
    Map<String, Integer> inExtra = new TreeMap<>();
    int broken = 0;
    for (Kept kept : rows) {
      RowWriter writer =
          writers.computeIfAbsent(kept.stream(), s -> RowWriter.of(config, s, Instant.EPOCH));
      try {
        extra(writer, kept.row()).forEach(name -> inExtra.merge(name, 1, Integer::sum));
      } catch (BrokenRowException e) {
        broken++;
      }
    }
    long mismatches = writers.values().stream().mapToLong(w -> w.builder().typeMismatches()).sum();
    return new ProposalTrial(rows.size() - broken, broken, mismatches, inExtra);
  }

  /** Returns whether every event holds all of its row in typed fields. */
  boolean isClean() {
    return inExtra.isEmpty() && typeMismatches == 0;
  }
}
