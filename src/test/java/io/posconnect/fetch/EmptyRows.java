package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.Rows;
import io.posconnect.json.Row;
import io.posconnect.resource.PageEnd;
import java.time.Instant;
import java.util.Optional;

/** A response without rows, date and body; fakes override what they have. */
public class EmptyRows implements Rows {

  @Override
  public Optional<Row> next() throws ApiException {
    return Optional.empty();
  }

  @Override
  public PageEnd end() {
    return PageEnd.of(0);
  }

  @Override
  public Optional<Instant> date() {
    return Optional.empty();
  }

  @Override
  public long bytes() {
    return 0;
  }

  @Override
  public long replaced() {
    return 0;
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
