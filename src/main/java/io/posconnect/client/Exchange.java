package io.posconnect.client;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import okhttp3.Call;
import okhttp3.Response;
import okio.AsyncTimeout;
import org.jspecify.annotations.Nullable;

/** One request on its way, and its response until it is closed. Any thread may cancel it. */
final class Exchange implements JsonRows.Source {

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
      throw stopping.getAsBoolean()
          ? new ApiException.Closed(request)
          : breakage.beforeHeaders(request, broken);
    }
    if (late || headers == null) {
      throw breakage.tooSlow(request);
    }
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

  @Override
  public ApiException broken(IOException e) {
    return stopping.getAsBoolean() ? new ApiException.Closed(request) : breakage.inBody(request, e);
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

  /** Ends the exchange; a body that was not read to its end is not waited for. */
  @Override
  public void close() {
    call.cancel();
    release();
  }
}
