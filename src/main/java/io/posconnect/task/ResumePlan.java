package io.posconnect.task;

import io.posconnect.offset.StreamOffset;
import io.posconnect.problem.Incident;
import org.jspecify.annotations.Nullable;

/** How a stream resumes after a start, as {@link Resumption} decides. */
public sealed interface ResumePlan {

  /** Where the stream resumes. */
  StreamOffset offset();

  /**
   * The stream resumes where it left off, or begins if nothing is stored.
   *
   * @param notice a change that leaves rows in the topic in another form; null for none
   */
  record Continue(StreamOffset offset, @Nullable Incident notice) implements ResumePlan {}

  /**
   * Everything is read and emitted once more.
   *
   * @param reason why
   */
  record Restart(StreamOffset offset, Incident reason) implements ResumePlan {}

  /**
   * Nothing is read under this configuration.
   *
   * @param reason why
   */
  record Refuse(StreamOffset offset, Incident reason) implements ResumePlan {}
}
