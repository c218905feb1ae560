package io.posconnect;

import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** Reads offsets from a map, as Connect reads them from its topic: null for what is not there. */
public record OffsetMap(Map<? extends Map<String, ?>, Map<String, Object>> stored)
    implements OffsetStorageReader {

  @Override
  public <T> Map<String, Object> offset(Map<String, T> partition) {
    return stored.get(partition);
  }

  @Override
  public <T> Map<Map<String, T>, Map<String, Object>> offsets(
      Collection<Map<String, T>> partitions) {
    Map<Map<String, T>, Map<String, Object>> found = new HashMap<>();
    partitions.forEach(partition -> found.put(partition, offset(partition)));
    return found;
  }
}
