package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.json.Row;
import io.posconnect.record.BrokenRowException;
import io.posconnect.record.Commit;
import io.posconnect.record.RecordBuilder;
import io.posconnect.record.RowSchema;
import io.posconnect.resource.Key;
import io.posconnect.resource.Stream;
import io.posconnect.task.RecordContracts;
import java.time.Instant;
import java.util.Map;

/** Makes the records of one stream as a task with that configuration would. */
record RowWriter(RowSchema contract, RecordBuilder builder, boolean occurrences) {

  static final Commit UNCOMMITTED = new Commit(Map.of(), Map.of(), written -> {});

  static RowWriter of(SourceConfig config, Stream stream, Instant now) {
    RowSchema contract = RecordContracts.contract(config, stream);
    RecordBuilder builder = new RecordBuilder(contract, config.destination(stream), () -> now);
    return new RowWriter(contract, builder, config.resource(stream).occurrences());
  }

  /** The row's key, as that of the first of its occurrences. */
  Key key(Row row) throws BrokenRowException {
    Key base = contract.keyOf(row);
    return occurrences ? contract.occurrence(base, 1) : base;
  }
}
