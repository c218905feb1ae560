package io.posconnect.location;

import java.util.ArrayDeque;
import java.util.Deque;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What must be closed, the latest first; one that fails to close keeps no other from it. */
public final class Closing implements AutoCloseable {

  private static final Logger log = LoggerFactory.getLogger(Closing.class);

  private final Deque<AutoCloseable> resources = new ArrayDeque<>();

  public <T extends AutoCloseable> T add(T resource) {
    resources.push(resource);
    return resource;
  }

  @Override
  @SuppressWarnings("try") // AutoCloseable.close may throw anything, and all of it is logged here.
  public void close() {
    while (!resources.isEmpty()) {
      AutoCloseable resource = resources.pop();
      try {
        resource.close();
      } catch (Exception e) {
        log.warn("{} did not close", resource.getClass().getSimpleName(), e);
      }
    }
  }
}
