package io.posconnect.client;

import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Hides a location's credentials in texts that the service sent: those in use and the former ones,
 * which a service may echo after a rotation and which may still be valid. Safe for several threads.
 */
final class Redaction {

  // A provider may always have another key.
  private static final int MOST = 20;

  private final Deque<Credentials> known = new ArrayDeque<>();

  /** Hides these from now on; the oldest of more than twenty are forgotten. */
  synchronized void add(Credentials credentials) {
    if (!known.contains(credentials)) {
      known.addLast(credentials);
    }
    if (known.size() > MOST) {
      known.removeFirst();
    }
  }

  synchronized String hide(String text) {
    String hidden = text;
    for (Credentials each : known) {
      hidden = each.hide(hidden);
    }
    return hidden;
  }
}
