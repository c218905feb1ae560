package io.posconnect.simulator;

import java.time.Duration;
import java.util.Optional;

/**
 * Which data a request gets to see.
 *
 * @param lag how old the data are: a replica that is behind
 * @param identity the store that {@code /whoami} names, if not the key's own
 * @param pageKeyPrefix stands before the offset in every {@code nextPageKey}
 * @param samePageKey whether {@code nextPageKey} never moves on
 */
record Reading(Duration lag, Optional<Store> identity, String pageKeyPrefix, boolean samePageKey) {

  static final Reading PLAIN = new Reading(Duration.ZERO, Optional.empty(), "", false);

  Reading behind(Duration age) {
    return new Reading(age, identity, pageKeyPrefix, samePageKey);
  }

  Reading as(Store other) {
    return new Reading(lag, Optional.of(other), pageKeyPrefix, samePageKey);
  }

  Reading withPageKeys(String prefix) {
    return new Reading(lag, identity, prefix, samePageKey);
  }

  Reading withSamePageKey() {
    return new Reading(lag, identity, pageKeyPrefix, true);
  }
}
