package io.posconnect.task;

import io.posconnect.change.Digest;
import io.posconnect.offset.StreamOffset;
import io.posconnect.resource.Stream;
import io.posconnect.task.OffsetLoader.Restart;
import io.posconnect.task.OffsetLoader.Wanted;
import java.util.List;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * Where a stream goes on, and its digest, as a task finds them; for tests of other rooms.
 *
 * @param offset its position
 * @param digest what was said until then
 */
public record OffsetLoaderBridge(StreamOffset offset, Digest digest) {

  /** Restores one stream as a task does. */
  public static OffsetLoaderBridge restore(
      OffsetStorageReader reader, Stream stream, String snapshotId, int buckets, int maxKeys) {
    Restart restart =
        new OffsetLoader(reader)
            .restore(List.of(new Wanted(stream, snapshotId, buckets, maxKeys, "location,id:int64")))
            .get(stream);
    return new OffsetLoaderBridge(restart.offset(), restart.digest());
  }
}
