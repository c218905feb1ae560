package io.posconnect.validation;

import io.posconnect.client.ApiClient;
import io.posconnect.client.ApiException;
import io.posconnect.client.Rows;
import io.posconnect.client.SharedRateLimits;
import io.posconnect.fetch.EmptyRows;
import io.posconnect.json.Row;
import io.posconnect.location.ClientFactory;
import io.posconnect.problem.Problem;
import io.posconnect.resource.Request;
import io.posconnect.resource.Shape;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/** A service that answers by path, and remembers what it was asked. */
public final class FakeApi implements ApiClient {

  @FunctionalInterface
  public interface Answer {
    Rows open() throws ApiException;
  }

  private final Map<String, Answer> answers = new ConcurrentHashMap<>();
  private final CountDownLatch closed = new CountDownLatch(1);
  public final List<Request> requests = new CopyOnWriteArrayList<>();
  public final List<Shape> shapes = new CopyOnWriteArrayList<>();
  public final AtomicInteger rowsRead = new AtomicInteger();
  public final AtomicInteger rowsOpen = new AtomicInteger();

  /** A validator that asks what these clients reach, and has plenty of time. */
  public static ConnectionValidator validator(ClientFactory clients) {
    return new ConnectionValidator(
        clients, new SharedRateLimits(), Duration.ofMinutes(1), InstantSource.system());
  }

  public FakeApi answers(String path, Answer answer) {
    answers.put(path, answer);
    return this;
  }

  public FakeApi rows(String path, String... fields) {
    return answers(path, () -> new OneRow(object(fields)));
  }

  public FakeApi rowsAfter(Row broken, String path, String... fields) {
    return answers(path, () -> new OneRow(broken, object(fields)));
  }

  public FakeApi fails(String path, ApiException exception) {
    return answers(
        path,
        () -> {
          throw exception;
        });
  }

  /** Keeps silent at that path until it is closed. */
  public FakeApi silent(String path) {
    return answers(path, this::silently);
  }

  /** The answer that does not come until this is closed. */
  public Rows silently() throws ApiException {
    try {
      closed.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new ApiException.Unavailable(Problem.UNREACHABLE, "GET", "cancelled");
  }

  public boolean isClosed() {
    return closed.getCount() == 0;
  }

  @Override
  public Rows open(String resource, Request request, Shape shape, Runnable onRedirect)
      throws ApiException {
    requests.add(request);
    shapes.add(shape);
    return answers.getOrDefault(request.path(), () -> new OneRow(null)).open();
  }

  @Override
  public void close() {
    closed.countDown();
  }

  public static Row object(String... fields) {
    return Row.parse(
        Arrays.stream(fields)
            .map(field -> "\"" + field + "\":1")
            .collect(Collectors.joining(",", "{", "}")));
  }

  /** A response of the same row again and again, or of none when that is null. */
  public final class OneRow extends EmptyRows {
    private Row next;
    private final Row row;

    public OneRow(Row row) {
      this(row, row);
    }

    public OneRow(Row first, Row row) {
      this.next = first;
      this.row = row;
      rowsOpen.incrementAndGet();
    }

    @Override
    public Optional<Row> next() {
      rowsRead.incrementAndGet();
      Row current = next;
      next = row;
      return Optional.ofNullable(current);
    }

    @Override
    public void close() {
      rowsOpen.decrementAndGet();
    }
  }
}
