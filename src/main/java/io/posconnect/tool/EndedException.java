package io.posconnect.tool;

/** Ends a command with its exit code, and a sentence for a person. */
final class EndedException extends RuntimeException {

  final ExitCode code;

  EndedException(ExitCode code, String message) {
    super(message);
    this.code = code;
  }
}
