package io.posconnect.fetch;

import static io.posconnect.fetch.DrivenStream.row;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.posconnect.fetch.DrivenStream.Answer;
import io.posconnect.json.BodyException;
import io.posconnect.json.BodyLimits;
import io.posconnect.json.JsonRows;
import io.posconnect.json.Row;
import io.posconnect.resource.PageEnd;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Request;
import io.posconnect.resource.Request.Parameter;
import io.posconnect.resource.Retrieval;
import io.posconnect.resource.Shape;
import io.posconnect.resource.Window;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Another way to read is one record: engine and parser take it as it is. */
class OpaqueCursorTest {

  /** Pages that name the next one by a mark, and the last one by none. */
  private record OpaqueCursor() implements Retrieval {
    @Override
    public Style style() {
      return Style.CURSOR;
    }

    @Override
    public Request first(String path, Window window) {
      return new Request(path);
    }

    @Override
    public Optional<Request> next(Request previous, PageEnd end, PageEnd first) {
      return end.nextPageKey().isEmpty()
          ? Optional.empty()
          : Optional.of(new Request(previous.path(), new Parameter("after", end.nextPageKey())));
    }

    @Override
    public Shape shape(Request request) {
      return new Shape.Envelope("data", "", "next");
    }

    @Override
    public boolean shifting() {
      return true;
    }
  }

  private static final int PAGE = 2;

  private final List<String> list = new ArrayList<>();

  /** A page as a service would send it, and the connector would read it. */
  private Answer answer(Request request) {
    int from = Integer.parseInt(request.parameter("after", "0"));
    int to = Math.min(list.size(), from + PAGE);
    String next = to < list.size() ? "\"" + to + "\"" : "null";
    String body = "{\"Next\":%s,\"\":0,\"data\":%s}".formatted(next, list.subList(from, to));
    try {
      JsonRows page = page(body);
      List<String> rows = new ArrayList<>();
      for (Optional<Row> row = page.next(); row.isPresent(); row = page.next()) {
        rows.add(row.get().json());
      }
      return new Answer(rows, page.end(), false);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static JsonRows page(String body) {
    Shape shape = new OpaqueCursor().shape(new Request("/things"));
    byte[] bytes = body.getBytes(StandardCharsets.UTF_8);
    return new JsonRows.Factory(BodyLimits.DEFAULT)
        .rows(new ByteArrayInputStream(bytes), shape, Privacy.NONE);
  }

  @Test
  void readsChangesAndDeletes() {
    list.addAll(List.of(row(1, "a"), row(2, "a"), row(3, "a"), row(4, "a"), row(5, "a")));
    DrivenStream stream = new DrivenStream(new OpaqueCursor(), this::answer).start();
    stream.fetches(2, 20);
    assertThat(stream.events()).containsExactly("r1a", "r2a", "r3a", "r4a", "r5a");

    list.set(2, row(3, "b"));
    list.remove(0);
    stream.fetches(3, 20);
    assertThat(stream.events()).endsWith("u3b", "d1").hasSize(7);
  }

  @Test
  void refusesPageThatDoesNotTellWhetherAnotherFollows() {
    assertThatThrownBy(() -> page("{\"data\":[]}").next())
        .isInstanceOf(BodyException.class)
        .hasMessageContaining("without next");
  }
}
