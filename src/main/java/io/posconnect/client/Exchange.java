package io.posconnect.client;

import io.posconnect.client.ApiException.Closed;
import io.posconnect.client.ApiException.Malformed;
import io.posconnect.json.BodyException;
import io.posconnect.json.JsonRows;
import io.posconnect.json.Row;
import io.posconnect.resource.PageEnd;
import java.io.IOException;
import java.io.InputStream;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;
import okhttp3.Call;
import okhttp3.Response;
import okio.AsyncTimeout;
import org.jspecify.annotations.Nullable;

/**
 * Carries one request on its way, and its response until it is closed. Any thread may cancel it.
 */
final class Exchange {

  private final String request;
  private final Call call;
  private final Connection.Timeouts timeouts;
  private final TransportErrors breakage;
  private final BooleanSupplier stopping;
  private final Consumer<Exchange> onClose;
  private @Nullable Response response;

  Exchange(
      String request,
      Call call,
      Connection.Timeouts timeouts,
      TransportErrors breakage,
      BooleanSupplier stopping,
      Consumer<Exchange> onClose) {
    this.request = request;
    this.call = call;
    this.timeouts = timeouts;
    this.breakage = breakage;
    this.stopping = stopping;
    this.onClose = onClose;
  }

  /** Sends the request; returns with the headers of whatever response there is. */
  Response send() throws ApiException {
    // The library's own time-outs are between two bytes: headers that drip would never end.
    AsyncTimeout untilHeaders = deadline();
    untilHeaders.enter();
    Response headers = null;
    IOException broken = null;
    try {
      headers = call.execute();
    } catch (IOException e) {
      broken = e;
    }
    boolean late = untilHeaders.exit();
    response = headers;
    if (broken != null && !late) {
      throw stopping.getAsBoolean() ? new Closed(request) : breakage.beforeHeaders(request, broken);
    }
    if (late || headers == null) {
      throw breakage.tooSlow(request);
    }
    // An error's body is read without its rows; those have a stricter rule.
    headers.body().source().timeout().timeout(timeouts.stall().toMillis(), TimeUnit.MILLISECONDS);
    return headers;
  }

  private AsyncTimeout deadline() {
    AsyncTimeout deadline =
        new AsyncTimeout() {
          @Override
          protected void timedOut() {
            call.cancel();
          }
        };
    deadline.timeout(timeouts.request().toMillis(), TimeUnit.MILLISECONDS);
    return deadline;
  }

  /** The rows of a response that promises some; they end the exchange when they are closed. */
  Rows rows(Response promising, Function<InputStream, JsonRows> reading) {
    InputStream body =
        new SteadyInput(
            promising.body().byteStream(),
            promising.body().source().timeout(),
            timeouts.stall(),
            System::nanoTime);
    JsonRows rows = reading.apply(body);
    Optional<Instant> date = Optional.ofNullable(promising.headers().getInstant("Date"));
    return new Body(rows, request + " " + promising.code(), date);
  }

  /** Breaks off whatever is under way; the reading thread gets an exception. */
  void cancel() {
    call.cancel();
  }

  /** Gives a response back whose body is short, so that its connection can serve the next. */
  void release() {
    if (response != null) {
      response.close();
    }
    onClose.accept(this);
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
        throw stopping.getAsBoolean() ? new Closed(request) : breakage.inBody(subject, e);
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

    /** A body that was not read to its end is not waited for. */
    @Override
    public void close() {
      cancel();
      release();
    }
  }
}
