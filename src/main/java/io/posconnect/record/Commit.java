package io.posconnect.record;

import java.util.Map;

/**
 * What Connect commits once a record is written, and who has to know.
 *
 * <p>Partition and offset are passed through untouched, so that they may be encoded late.
 *
 * @param partition of the source, to which the offset belongs
 * @param delivery called once for each record that carries it
 */
public record Commit(Map<String, ?> partition, Map<String, ?> offset, Delivery delivery) {

  /** Listens to the delivery of a record. */
  @FunctionalInterface
  public interface Delivery {

    /**
     * Connect is done with the record.
     *
     * @param written false when a transform or a tolerated error dropped it: its offset is never
     *     committed
     */
    void acknowledged(boolean written);
  }
}
