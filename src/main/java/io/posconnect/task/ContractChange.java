package io.posconnect.task;

import io.posconnect.offset.DigestScope;
import io.posconnect.problem.Problem;
import io.posconnect.record.Contract;
import io.posconnect.resource.Stream;
import java.util.Optional;

/**
 * Holds what a stream's rows are declared to be against what they were when they were told.
 *
 * <p>A larger contract leaves the rows of before true, only in another form. A decimal of another
 * scale does not: registries let it pass, and whoever reads with the new schema misreads every
 * value of before. What a topic holds is remembered also while it is not declared.
 *
 * @param before what held when the latest record was written
 */
record ContractChange(Stream stream, DigestScope before, DigestScope now) {

  /** Why the stream is not read; empty when it may be. In another topic nothing stands yet. */
  Optional<String> refusal() {
    return sameTopic()
        ? declared().rescaled(told()).map(what -> Problem.SCALE_CHANGED.at(stream.id(), what))
        : Optional.empty();
  }

  /** What to tell when rows of before stay as they are; empty when the contract is the same. */
  Optional<String> notice() {
    return declared().differs(told())
        ? Optional.of(Problem.CONTRACT_CHANGED.at(stream.id()))
        : Optional.empty();
  }

  /** What holds from now on. */
  DigestScope scope() {
    return sameTopic() ? now.withContract(declared().after(told()).text()) : now;
  }

  private boolean sameTopic() {
    return before.topic().equals(now.topic());
  }

  private Contract declared() {
    return Contract.parse(now.contract());
  }

  private Contract told() {
    return Contract.parse(before.contract());
  }
}
