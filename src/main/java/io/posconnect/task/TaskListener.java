package io.posconnect.task;

import io.posconnect.fetch.FetchListener;
import io.posconnect.metrics.StreamMetrics;
import io.posconnect.metrics.TaskMetrics;
import io.posconnect.record.Checkpoint;
import io.posconnect.record.Envelope.Operation;
import io.posconnect.resource.Stream;
import java.time.Duration;
import java.time.Instant;

/** Tells the metrics what the fetchers tell. */
public record TaskListener(TaskMetrics metrics) implements FetchListener {

  @Override
  public void requested(Stream stream) {
    metrics.stream(stream).requested();
  }

  @Override
  public void retried(Stream stream) {
    metrics.stream(stream).retried();
  }

  @Override
  public void emitted(Stream stream, Operation operation) {
    StreamMetrics of = metrics.stream(stream);
    switch (operation) {
      case CREATE -> of.created();
      case UPDATE -> of.updated();
      case DELETE -> of.deleted();
      case READ -> of.read();
    }
  }

  @Override
  public void completed(Stream stream, Checkpoint checkpoint) {
    metrics.stream(stream)
        .completed(
            checkpoint.received(),
            checkpoint.suppressed(),
            checkpoint.typeMismatches(),
            checkpoint.deadLetters(),
            checkpoint.duration());
  }

  @Override
  public void skewed(Stream stream, Duration ahead) {
    metrics.stream(stream).skewed(ahead);
  }

  @Override
  public void watermark(Stream stream, Instant watermark) {
    metrics.stream(stream).watermark(watermark);
  }

  @Override
  public void digest(Stream stream, int keys) {
    metrics.stream(stream).digest(keys);
  }

  @Override
  public void deletesPending(Stream stream, int keys) {
    metrics.stream(stream).deletesPending(keys);
  }

  @Override
  public void retention(Stream stream, boolean full) {
    metrics.stream(stream).retention(full);
  }

  @Override
  public void suspended(Stream stream, String reason) {
    metrics.stream(stream).suspended(reason);
  }

  @Override
  public void recovered(Stream stream) {
    metrics.stream(stream).recovered();
  }
}
