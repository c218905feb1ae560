package io.posconnect.simulator;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonToken;
import java.io.InputStream;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;

class StreamingTest {

  private static final int ROWS = 200_000;

  @Test
  void aListThatWouldNotFitIntoMemoryIsSentRowByRow() throws Exception {
    try (Simulator service = Simulator.builder().withoutHistory().start()) {
      service.store().products().generate(ROWS);
      HttpResponse<InputStream> response =
          Client.of(service).get(Endpoint.PRODUCTS, HttpResponse.BodyHandlers.ofInputStream());
      assertThat(response.headers().firstValue("Content-Length")).isEmpty();
      assertThat(rows(response.body())).isEqualTo(ROWS);
      LoggedRequest request = service.requests().get(0);
      assertThat(request.rows()).isEqualTo(ROWS);
      assertThat(request.bytes()).isGreaterThan(200L * 1024 * 1024);
    }
  }

  private static int rows(InputStream body) throws Exception {
    int rows = 0;
    try (JsonParser json = new JsonFactory().createParser(body)) {
      assertThat(json.nextToken()).isEqualTo(JsonToken.START_ARRAY);
      while (json.nextToken() == JsonToken.START_OBJECT) {
        json.skipChildren();
        rows++;
      }
    }
    return rows;
  }
}
