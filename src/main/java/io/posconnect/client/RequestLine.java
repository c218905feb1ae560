package io.posconnect.client;

/**
 * Names a request in messages.
 *
 * @param request such as {@code GET /products}
 */
record RequestLine(String location, String resource, String request) {

  /** The same without the stream: a key is its location's, whichever stream found it refused. */
  String ofLocation() {
    return location + ": " + request;
  }

  @Override
  public String toString() {
    return location + "/" + resource + ": " + request;
  }
}
