package io.posconnect.fetch;

import io.posconnect.client.ApiException;
import io.posconnect.client.Rows;
import io.posconnect.json.BodyNotes;
import io.posconnect.json.Row;
import io.posconnect.resource.PageEnd;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

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
  public BodyNotes notes() {
    return new BodyNotes(0, 0, Set.of(), Set.of());
  }

  @Override
  public void close() {
    // Nothing is held.
  }
}
