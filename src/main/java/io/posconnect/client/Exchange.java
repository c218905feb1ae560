package io.posconnect.client;

import io.posconnect.client.ApiException.Malformed;
import io.posconnect.json.BodyException;
import io.posconnect.json.JsonRows;
import io.posconnect.json.Row;
import io.posconnect.resource.PageEnd;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import okhttp3.Call;
import okhttp3.HttpUrl;
import okhttp3.Response;
import org.jspecify.annotations.Nullable;

/**
 * Carries one request with its redirects, and its response until it is closed. Any thread may
 * cancel it.
 */
final class Exchange {

  /** Of a redirect's body that is read, so that its connection can serve the next request. */
  private static final int SHORT_BODY = 8 * 1024;

  private final RequestLine line;
  private final String request;
  private final Connection.Timeouts timeouts;
  private final TimeLimit limit = new TimeLimit(this::cancel);
  private final TransportErrors errors;
  private final OpenExchanges open;
  private final Function<HttpUrl, Call> calls;
  private volatile @Nullable Call call;
  private volatile boolean cancelled;
  private @Nullable Response response;

  /**
   * @param line that messages begin with
   * @param open where this exchange stands until its end
   * @param calls make a call of a URL
   * @throws ClientClosedException when the client was closed
   */
  Exchange(
      RequestLine line, Connection connection, OpenExchanges open, Function<HttpUrl, Call> calls) {
    this.line = line;
    this.request = line.toString();
    this.timeouts = connection.timeouts();
    this.errors = new TransportErrors(connection);
    this.open = open;
    this.calls = calls;
    open.add(this);
  }

  /**
   * Sends the request and follows redirects; returns with the headers of the response where they
   * end, whatever it is. The request timeout covers all of them together.
   */
  Response send(HttpUrl url, Redaction redaction, Runnable onRedirect) throws ApiException {
    try {
      return limit.within(timeouts.request(), () -> follow(url, redaction, onRedirect));
    } catch (IOException e) {
      throwIfStopped();
      throw errors.beforeHeaders(request, e);
    }
  }

  private Response follow(HttpUrl url, Redaction redaction, Runnable onRedirect)
      throws IOException, ApiException {
    Response latest = execute(url);
    StatusErrors status = new StatusErrors(line, latest, redaction);
    for (int redirect = 1; status.isRedirect(); redirect++) {
      HttpUrl target = status.redirectTarget(redirect);
      end(latest);
      onRedirect.run();
      latest = execute(target);
      status = new StatusErrors(line, latest, redaction);
    }
    return latest;
  }

  private void end(Response redirect) throws IOException {
    long length = redirect.body().contentLength();
    Call current = call;
    if (length >= 0 && length < SHORT_BODY) {
      redirect.body().source().request(SHORT_BODY);
    } else if (current != null) {
      current.cancel();
    }
    redirect.close();
  }

  private Response execute(HttpUrl url) throws IOException {
    Call next = calls.apply(url);
    call = next;
    // After the assignment: cancel() either finds this call or is noticed here.
    if (cancelled) {
      next.cancel();
    }
    Response received = next.execute();
    response = received;
    return received;
  }

  /** Opens the rows of a successful response; the exchange ends when they are closed. */
  Rows rows(Response successful, Function<InputStream, JsonRows> reading) {
    InputStream body =
        new MinimumRateInput(
            successful.body().byteStream(), limit, timeouts.stall(), System::nanoTime);
    JsonRows rows = reading.apply(body);
    Optional<Instant> date = Optional.ofNullable(successful.headers().getInstant("Date"));
    return new Body(rows, request + " " + successful.code(), date);
  }

  /**
   * Cancels the call under way and those that would follow; the waiting thread gets an exception.
   */
  void cancel() {
    cancelled = true;
    Call current = call;
    if (current != null) {
      current.cancel();
    }
  }

  private void throwIfStopped() {
    if (open.areClosed()) {
      throw stopped();
    }
  }

  ClientClosedException stopped() {
    return new ClientClosedException(request);
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

  private final class Body implements Rows {

    private final JsonRows rows;
    private final String subject;
    private final Optional<Instant> date;

    private Body(JsonRows rows, String subject, Optional<Instant> date) {
      this.rows = rows;
      this.subject = subject;
      this.date = date;
    }

    @Override
    public Optional<Row> next() throws ApiException {
      try {
        return rows.next();
      } catch (BodyException e) {
        throw new Malformed(e.problem(), subject, "the body " + e.getMessage());
      } catch (IOException e) {
        throwIfStopped();
        throw errors.inBody(subject, e);
      }
    }

    @Override
    public PageEnd end() {
      return rows.end();
    }

    @Override
    public Optional<Instant> date() {
      return date;
    }

    @Override
    public long bytes() {
      return rows.bytes();
    }

    @Override
    public long replaced() {
      return rows.replaced();
    }

    @Override
    public Set<String> unmetPaths() {
      return rows.unmetPaths();
    }

    @Override
    public void close() {
      release();
    }
  }
}
