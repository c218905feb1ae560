package io.posconnect.hostile;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;

/** One kind of wrong answer each, at one layer. */
@SuppressWarnings("ImmutableEnumChecker") // A script holds nothing.
public enum Hostility implements Answer {

  // The connection.
  CLOSED(wire -> {}),
  RESET(Wire::reset),
  SILENT(Wire::hang),

  // TLS, or what is in its place.
  NOT_TLS(Layer.BELOW_TLS, wire -> wire.send("HTTP/1.1 400 Plain\r\n\r\n")),
  NOT_TLS_ENDLESS(Layer.BELOW_TLS, Wire::floodOfNoise),
  NO_HANDSHAKE(Layer.BELOW_TLS, Wire::hang),
  HALF_HANDSHAKE(Layer.BELOW_TLS, wire -> wire.send("\26\3\3\0z\2\0\0v\3\3").hang()),
  HANDSHAKE_DRIPS(Layer.BELOW_TLS, wire -> wire.send("\26\3\3\77\0\2\0\76\0").drip("\0")),
  HANDSHAKE_ENDLESS(
      Layer.BELOW_TLS, wire -> wire.flood("\26\3\3\1\0\2\377\377\377" + "x".repeat(252))),
  ALERTS_ENDLESS(Layer.BELOW_TLS, wire -> wire.flood("\25\3\3\0\2\1\132")),
  EMPTY_RECORDS(Layer.BELOW_TLS, wire -> wire.flood("\26\3\3\0\0")),
  KEYS_RENEWED(Layer.TLS, Wire::renewKeys),
  KEYS_RENEWED_IN_BODY(
      Layer.TLS,
      wire -> {
        wire.chunked().send("2\r\n[1\r\n");
        wire.renewKeys();
      }),
  TINY_RECORDS(
      Layer.TLS,
      wire -> {
        String text = Wire.JSON + "\r\n[" + ",".repeat(wire.random().nextInt(99));
        for (int i = 0; i < text.length(); i++) {
          wire.send(text.substring(i, i + 1));
        }
        wire.drip(" ");
      }),

  // The head of the answer.
  STATUS_LINE_ENDLESS(wire -> wire.send(wire.oneOf("", "HTTP/1.1 200 ")).flood("x")),
  STATUS_LINE_ODD(
      wire ->
          wire.send(
              wire.oneOf(
                  "HTTP/1.1\r\n\r\n",
                  "\r\n\r\n\r\n",
                  "HTTP/9.9 200 OK\r\n\r\n[]",
                  "ICY 200\r\n\r\n",
                  "HTTP/1.1 -20 OK\r\n\r\n",
                  "HTTP/1.1 2000 OK\r\n\r\n",
                  "HTTP/1.1 \0\0\0 OK\r\n"))),
  NOISE(Wire::floodOfNoise),
  HTTP_2(wire -> wire.flood("\0\0\0\4\0\0\0\0\0")),
  UPGRADED(
      wire ->
          wire.send("HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n")
              .send("\r\n")
              .flood("\0\0\0\4\0\0\0\0\0")),
  CONTINUE_ENDLESS(wire -> wire.flood("HTTP/1.1 100 Continue\r\n\r\n")),
  CONTINUE_DRIPS(wire -> wire.drip("HTTP/1.1 103 Early Hints\r\nLink: </x>\r\n\r\n")),
  HEADER_ENDLESS(wire -> wire.send(Wire.JSON + "X: ").flood("y")),
  HEADERS_ENDLESS(wire -> wire.send(Wire.JSON).flood(wire.oneOf("a:\n", ":\n", "a:b\r\n", "a\n"))),
  HEADERS_MANY(
      wire -> wire.send(Wire.JSON + "a:\n".repeat(wire.random().nextInt(20_000)) + "\r\n[").hang()),
  HEADERS_DRIP(wire -> wire.send(Wire.JSON).drip("X: y\r\n")),
  HEADERS_CUT(wire -> wire.send(Wire.JSON + "X: y")),

  // What stands in for rows.
  STATUS_ODD(
      wire ->
          wire.send("HTTP/1.1 " + (201 + wire.random().nextInt(799)) + " Odd\r\n\r\n").flood("x")),
  EMPTY_WITH_BODY(
      wire ->
          wire.send("HTTP/1.1 " + wire.oneOf("204", "205", "304") + " No\r\n")
              .send("Content-Length: 100000\r\n\r\n")
              .flood("x")),
  REDIRECT_ENDLESS(
      wire ->
          wire.send("HTTP/1.1 302 Found\r\nLocation: /" + wire.random().nextInt(9) + "\r\n")
              .send(wire.oneOf("Content-Length: 0\r\n\r\n", "\r\n"))),
  REDIRECT_ODD(
      wire ->
          wire.send("HTTP/1.1 307 Odd\r\nLocation: ")
              .send(
                  wire.oneOf(
                      "http://[::1",
                      "//\0",
                      "http://\u00ff\u00fe/",
                      "https://xn--0/",
                      "http://x:0/",
                      "http://" + "x.".repeat(9_000) + "/",
                      "/" + "%".repeat(9_000),
                      "?" + "&".repeat(9_000)))
              .send("\r\nContent-Length: 0\r\n\r\n")),
  REDIRECT_WITH_ENDLESS_BODY(
      wire -> wire.send("HTTP/1.1 301 Moved\r\nLocation: /there\r\n\r\n").flood("x")),
  REFUSAL_WITH_ENDLESS_BODY(
      wire -> wire.send("HTTP/1.1 " + wire.oneOf("401", "404", "500") + " No\r\n\r\n").flood("x")),
  REFUSAL_DRIPS(wire -> wire.send("HTTP/1.1 503 Busy\r\n\r\n").drip("{\"TraceId\":")),
  REFUSAL_BOMB(
      wire -> {
        wire.send("HTTP/1.1 500 No\r\nContent-Encoding: gzip\r\n\r\n");
        wire.bomb(" ", 1);
      }),
  PAUSE_ODD(
      wire ->
          wire.send("HTTP/1.1 429 Slow\r\nContent-Length: 0\r\nRetry-After: ")
              .send(wire.oneOf("-1", "9".repeat(9_000), "Sat, 99 Foo 99999 99:99:99 GMT", "\u00ff"))
              .send(
                  "\r\nDate: " + wire.oneOf("x", "Sat, 21 Nov 9999999 10:00:00 GMT") + "\r\n\r\n")),

  // The length of the body, and its chunks.
  LENGTH_TOO_LONG(wire -> wire.json("Content-Length: 1000\r\n").send("[{},")),
  LENGTH_TOO_LONG_HANGS(wire -> wire.json("Content-Length: 1000\r\n").send("[{},").hang()),
  LENGTH_TOO_SHORT(wire -> wire.json("Content-Length: 2\r\n").send("[{},").rows("{},")),
  LENGTH_NEGATIVE(
      wire ->
          wire.send("HTTP/1.1 " + wire.oneOf("200 OK", "302 Found\r\nLocation: /x", "500 No"))
              .send("\r\nContent-Length: -5\r\n\r\n")
              .flood("[")),
  LENGTH_ODD(
      wire ->
          wire.json(
                  wire.oneOf(
                      "Content-Length: -1\r\n",
                      "Content-Length: 9223372036854775807\r\n",
                      "Content-Length: 99999999999999999999\r\n",
                      "Content-Length: x\r\n",
                      "Content-Length: 2\r\nContent-Length: 3\r\n",
                      "Content-Length: 2\r\nTransfer-Encoding: chunked\r\n",
                      "Transfer-Encoding: gzip, chunked\r\n",
                      "Transfer-Encoding: \0\r\n"))
              .flood("[")),
  CHUNK_SIZE_ENDLESS(wire -> wire.chunked().send("2\r\n[1\r\n").flood(wire.oneOf("0", " "))),
  CHUNK_SIZE_ODD(
      wire ->
          wire.chunked()
              .send(wire.oneOf("-1", "ffffffffffffffffff", "8000000000000000", "zz", "\0", "1 1"))
              .flood("\r\n[")),
  CHUNK_HUGE(wire -> wire.chunked().send("7fffffffffffffff\r\n[").rows("{},")),
  CHUNK_EXTENSION_ENDLESS(wire -> wire.chunked().send("2\r\n[1\r\n5;").flood("x")),
  CHUNK_EXTENSION_LINES(wire -> wire.chunked().flood("1;" + "x".repeat(60_000) + "\r\n[\r\n")),
  CHUNKS_TINY(wire -> wire.chunked().send("1\r\n[\r\n").flood("1\r\n \r\n")),
  CHUNKS_WITHOUT_LAST(wire -> wire.chunked().send("2\r\n[]\r\n")),
  TRAILER_ENDLESS(wire -> wire.chunked().send("2\r\n[]\r\n0\r\nX: ").flood("y")),
  TRAILERS_ENDLESS(wire -> wire.chunked().send("2\r\n[]\r\n0\r\n").flood("a:\n")),
  TRAILERS_DRIP(wire -> wire.chunked().send("2\r\n[]\r\n0\r\n").drip("X: y\r\n")),

  // Compression.
  GZIP_BOMB(
      wire -> {
        wire.json("Content-Encoding: gzip\r\n");
        wire.bomb(wire.oneOf(" ", "[", "0"), 1);
      }),
  GZIP_TWICE(
      wire -> {
        wire.json(
            wire.oneOf(
                "Content-Encoding: gzip\r\n",
                "Content-Encoding: gzip, gzip\r\n",
                "Content-Encoding: gzip\r\nContent-Encoding: gzip\r\n"));
        wire.bomb(" ", 2);
      }),
  CODINGS_ENDLESS(
      wire ->
          wire.json(
                  "Content-Encoding: gzip" + ", gzip".repeat(wire.random().nextInt(9_000)) + "\r\n")
              .flood("x")),
  CODING_ODD(
      wire ->
          wire.json("Content-Encoding: " + wire.oneOf("br", "deflate", "zstd", "\0", ",") + "\r\n")
              .flood("x")),
  GZIP_NAME_ENDLESS(wire -> gzip(wire, 8).flood("x")),
  GZIP_EXTRA_CUT(wire -> gzip(wire, 4).send("\377\377")),
  GZIP_EMPTY_BLOCKS(wire -> gzip(wire, 0).flood("\0\0\0\377\377")),
  GZIP_DRIPS(wire -> gzip(wire, 0).drip("\0\0\0\377\377")),
  GZIP_NOISE(wire -> gzip(wire, 0).floodOfNoise()),
  GZIP_MEMBERS(
      wire -> {
        wire.json("Content-Encoding: gzip\r\n");
        for (int i = 0; i < 1_000; i++) {
          wire.send("\37\213\10\0\0\0\0\0\0\0\3\0\0\0\0\0\0\0\0\0");
        }
      }),

  // The body.
  BODY_STALLS(wire -> wire.json("").send("[{},").hang()),
  BODY_DRIPS(wire -> wire.json("").send("[").drip(" ")),
  BODY_RESET(
      wire -> {
        wire.json("Content-Length: 100000\r\n").send("[{},");
        wire.reset();
      }),
  BODY_NOISE(wire -> wire.json("").floodOfNoise()),
  BLANKS_ENDLESS(wire -> wire.json("").flood(wire.oneOf(" ", "\r\n", "\t"))),
  ROWS_EMPTY(wire -> wire.json("").send("[").rows("{},")),
  ROWS_LARGE(wire -> wire.json("").send("[").rows("{\"a\":\"" + "x".repeat(890_000) + "\"},")),
  ROWS_FULL(wire -> wire.json("").send("[").rows("[" + "1,".repeat(99_000) + "1],")),
  FIELDS_MANY(wire -> wire.json("").send("[").rows("{" + fields(40_000) + "},")),
  NUMBER_ENDLESS(wire -> wire.json("").send("[").flood("9")),
  STRING_ENDLESS(wire -> wire.json("").send("[\"").flood(wire.oneOf("x", "\\u0000", "\u00ff"))),
  NAME_ENDLESS(wire -> wire.json("").send("[{\"").flood("x")),
  DEPTH_ENDLESS(wire -> wire.json("").send("[").flood(wire.oneOf("[", "{\"a\":"))),
  ROW_ENDLESS(wire -> wire.json("").send("[{\"a\":[").flood("1,")),
  ENVELOPE_ENDLESS(wire -> wire.json("").send("{").flood("\"a\":1,"));

  private enum Layer {
    BELOW_TLS,
    TLS,
    HTTP
  }

  private interface Script {
    void run(Wire wire) throws IOException;
  }

  private final Layer layer;
  private final Script script;

  Hostility(Script script) {
    this(Layer.HTTP, script);
  }

  Hostility(Layer layer, Script script) {
    this.layer = layer;
    this.script = script;
  }

  private static Wire gzip(Wire wire, int flags) throws IOException {
    return wire.json("Content-Encoding: gzip\r\n")
        .send("\37\213\10" + (char) flags + "\0\0\0\0\0\0");
  }

  private static String fields(int count) {
    StringBuilder fields = new StringBuilder("\"\":0");
    for (int i = 0; i < count; i++) {
      fields.append(",\"").append(Integer.toString(i, 36)).append("\":0");
    }
    return fields.toString();
  }

  @Override
  public void send(Wire wire) throws IOException {
    script.run(wire);
    wire.close();
  }

  @Override
  public boolean isBelowTls() {
    return layer == Layer.BELOW_TLS;
  }

  /** Those that need no TLS. */
  public static List<Hostility> ofHttp() {
    return Arrays.stream(values()).filter(each -> each.layer == Layer.HTTP).toList();
  }
}
