package io.posconnect.resource;

import java.util.Comparator;

/**
 * One resource of one location: the unit of ownership, of position and of failure.
 *
 * @param location name of the location in the configuration, such as {@code downtown}
 * @param resource name of the resource, such as {@code products}
 */
public record Stream(String location, String resource) implements Comparable<Stream> {

  private static final Comparator<Stream> ORDER =
      Comparator.comparing(Stream::location).thenComparing(Stream::resource);

  /** The stream's name in offsets, logs and metrics: {@code downtown/products}. */
  public String id() {
    return location + "/" + resource;
  }

  @Override
  public int compareTo(Stream other) {
    return ORDER.compare(this, other);
  }

  @Override
  public String toString() {
    return id();
  }
}
