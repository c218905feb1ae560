package io.posconnect.fetch;

/** Something about a stream that has to be reported; {@link StreamReporter} decides where. */
@FunctionalInterface
interface Report {

  void to(StreamReporter reporter);
}
