package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.record.Provenance;
import io.posconnect.record.Provenance.FetchKind;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.kafka.connect.data.Struct;

/**
 * The events that the connector's own classes make of rows with the proposed configuration, and
 * what those events leave in {@code extra}.
 *
 * @param broken number of rows that could not
 * @param typeMismatches number of values that did not fit their type
 * @param inExtra the service's fields that stood in extra,
 */
record ProposalTrial(int broken, long typeMismatches, Set<String> inExtra) {

  private static final Provenance PROVENANCE =
      new Provenance(FetchKind.SNAPSHOT, Instant.EPOCH, true);

  /** Names of the fields that stand in extra. */
  private static List<String> extra(RowWriter writer, Row row) throws BrokenRowException {
    Key key = writer.key(row);
    Struct value =
        (Struct)
            writer
                .builder()
                .change(Operation.READ, key, row, PROVENANCE, RowWriter.UNCOMMITTED)
                .value();
    Struct event = value.schema().field("after") == null ? value : value.getStruct("after");
    String extra = event.getString("extra");
    return extra == null ? List.of() : Row.parse(extra).names().list();
  }

  static ProposalTrial of(SourceConfig config, Stream stream, List<Row> rows) {
    RowWriter writer = RowWriter.of(config, stream, Instant.EPOCH);
    Set<String> inExtra = new TreeSet<>();
    int broken = 0;
    for (Row row : rows) {
      try {
        inExtra.addAll(extra(writer, row));
      } catch (BrokenRowException e) {
        broken++;
      }
    }
    return new ProposalTrial(broken, writer.builder().typeMismatches(), inExtra);
  }
}
