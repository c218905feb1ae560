package io.posconnect.client;

import io.posconnect.client.ApiException.Malformed;
import io.posconnect.json.BodyException;
import io.posconnect.json.BodyNotes;
import io.posconnect.json.JsonRows;
import io.posconnect.json.KnownRows;
import io.posconnect.json.Row;
import io.posconnect.resource.PageEnd;
import java.io.IOException;
import java.io.InputStream;
import java.net.ProtocolException;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;
import okhttp3.Call;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Carries one request with its redirects, and its response until it is closed. Any thread may
 * cancel it.
 */
final class Exchange {

  private final String request;
  private final Connection.Timeouts timeouts;
  private final TimeLimit limit;
  private final TransportErrors errors;
  private final OpenExchanges open;
  private final Call call;
  private @Nullable Response response;

  /**
   * @param request that messages begin with
   * @param open where this exchange stands until its end
   */
  Exchange(String request, Connection connection, OpenExchanges open, Call call) {
    this.request = request;
    this.timeouts = connection.timeouts();
    this.limit = new TimeLimit(call::cancel);
    this.errors = new TransportErrors(connection);
    this.open = open;
    this.call = call;
    open.add(this);
  }

  /**
   * Sends the request and follows redirects; returns with the headers of the response where they
   * end, whatever it is. The request timeout covers all of them together.
   *
   * @throws ClientClosedException when the client was closed
   */
  Response send() throws ApiException {
    // This exchange was added before: close() either finds it or is noticed here.
    open.expectOpen(request);
    try {
      return limit.within(timeouts.request(), () -> response = call.execute());
    } catch (Redirects.RefusedException e) {
      throw e.refusal;
    } catch (IOException e) {
      open.expectOpen(request);
      throw errors.beforeHeaders(request, e);
    } catch (IllegalArgumentException | IllegalStateException e) {
      // The library reads a status or a length below 0, and then refuses to hold it.
      throw errors.beforeHeaders(request, new ProtocolException("a number below 0"));
    }
  }

  /**
   * Opens the rows of a successful response; the exchange ends when they are closed.
   *
   * @param part so much of the body must come within the stall timeout, again and again
   */
  Rows rows(Response successful, int part, Function<InputStream, JsonRows> reading) {
    InputStream body =
        new MinimumRateInput(
            successful.body().byteStream(), limit, part, timeouts.stall(), System::nanoTime);
    JsonRows rows = reading.apply(body);
    Optional<Instant> date = Optional.ofNullable(successful.headers().getInstant("Date"));
    return new Body(this, rows, request + " " + successful.code(), date);
  }

  /** Cancels the call, under way or still to come; the waiting thread gets an exception. */
  void cancel() {
    call.cancel();
  }

  TimeLimit limit() {
    return limit;
  }

  /**
   * Ends the exchange. If the body was read to its end, the connection can serve the next request.
   */
  void release() {
    cancel();
    if (response != null) {
      response.close();
    }
    open.remove(this);
  }

  private record Body(Exchange exchange, JsonRows rows, String subject, Optional<Instant> date)
      implements Rows {

    @Override
    public Optional<Row> next() throws ApiException {
      return read(rows::next);
    }

    @Override
    public boolean skip(KnownRows known) throws ApiException {
      return read(() -> rows.skip(known));
    }

    private <T> T read(TimeLimit.Step<T> part) throws ApiException {
      try {
        return part.take();
      } catch (BodyException e) {
        throw new Malformed(e.problem(), subject, "the body " + e.getMessage());
      } catch (IOException e) {
        exchange.open.expectOpen(exchange.request);
        throw exchange.errors.inBody(subject, e);
      }
    }

    @Override
    public PageEnd end() {
      return rows.end();
    }

    @Override
    public BodyNotes notes() {
      return rows.notes();
    }

    @Override
    public void close() {
      exchange.release();
    }
  }
}
