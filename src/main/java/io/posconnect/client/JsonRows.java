package io.posconnect.client;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonProcessingException;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Row;
import io.posconnect.resource.Shape;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Rows of a JSON body that is parsed as it arrives; never more than one of them is held. */
public final class JsonRows implements Rows {

  /** Where a body comes from: what a broken stream means, and how it is given back. */
  interface Source {
    ApiException broken(IOException e);

    void close();
  }

  private final String request;
  private final JsonFactory json;
  private final InputStream stream;
  private final Shape shape;
  private final BodyLimits limits;
  private final Optional<Instant> date;
  private final Source source;
  private @Nullable JsonBody body;
  private boolean failed;

  JsonRows(
      String request,
      JsonFactory json,
      InputStream stream,
      Shape shape,
      BodyLimits limits,
      Optional<Instant> date,
      Source source) {
    this.request = request;
    this.json = json;
    this.stream = stream;
    this.shape = shape;
    this.limits = limits;
    this.date = date;
    this.source = source;
  }

  /**
   * Rows of a body that does not come from the service, such as a file.
   *
   * @param name what messages begin with
   */
  public static Rows of(String name, InputStream stream, Shape shape, BodyLimits limits) {
    Source source = new StreamSource(name, stream);
    JsonFactory json = JsonBody.factory(limits);
    return new JsonRows(name, json, stream, shape, limits, Optional.empty(), source);
  }

  @Override
  public Optional<Row> next() throws ApiException {
    if (failed) {
      throw new IllegalStateException("there is no next row after a failure");
    }
    failed = true;
    Optional<Row> row = read();
    failed = false;
    return row;
  }

  private Optional<Row> read() throws ApiException {
    try {
      if (body == null) {
        body = new JsonBody(json, stream, shape, limits);
      }
      return body.next();
    } catch (BodyErrors e) {
      throw malformed(e);
    } catch (JsonProcessingException e) {
      throw malformed(BodyErrors.of(e, limits));
    } catch (IOException e) {
      throw source.broken(e);
    }
  }

  private ApiException malformed(BodyErrors fault) {
    return new ApiException.Malformed(
        request + ": the body " + fault.getMessage(), fault.tooLarge(), null);
  }

  @Override
  public PageEnd end() {
    PageEnd end = body == null ? null : body.pageEnd();
    if (end == null) {
      throw new IllegalStateException("the last row has not been read");
    }
    return end;
  }

  @Override
  public Optional<Instant> date() {
    return date;
  }

  @Override
  public long bytes() {
    return body == null ? 0 : body.bytes();
  }

  @Override
  public void close() {
    source.close();
  }

  private record StreamSource(String name, InputStream stream) implements Source {
    private StreamSource {
      Objects.requireNonNull(name, "name is null");
    }

    @Override
    public ApiException broken(IOException e) {
      return new ApiException.Unavailable(name + ": the body broke off", false, e);
    }

    @Override
    public void close() {
      try {
        stream.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
