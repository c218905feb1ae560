package io.posconnect;

import io.posconnect.Restoration.Restart;
import io.posconnect.Restoration.Wanted;
import io.posconnect.change.Digest;
import io.posconnect.offset.StreamOffset;
import io.posconnect.resource.Stream;
import java.util.List;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/**
 * Where a stream goes on, and its digest, as a task finds them; for tests of other rooms.
 *
 * @param offset its position
 * @param digest what was said until then
 */
public record RestorationBridge(StreamOffset offset, Digest digest) {

  /** Restores one stream as a task does. */
  public static RestorationBridge restore(
      OffsetStorageReader reader, Stream stream, String snapshotId, int buckets, int maxKeys) {
    Restart restart =
        new Restoration(reader)
            .restore(List.of(new Wanted(stream, snapshotId, buckets, maxKeys, "location,id:int64")))
            .get(stream);
    return new RestorationBridge(restart.offset(), restart.digest());
  }
}
