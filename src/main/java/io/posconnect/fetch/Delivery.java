package io.posconnect.fetch;

/** What a record's offset carries, to be told what became of the record. */
public interface Delivery {

  /**
   * Connect is done with a record.
   *
   * @param written false when a transform or a tolerated error dropped it: its offset is never
   *     committed
   */
  void acknowledged(boolean written);
}
