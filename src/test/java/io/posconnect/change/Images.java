package io.posconnect.change;

import io.posconnect.change.Digest.Segments;
import io.posconnect.change.Digest.StoredEntry;
import io.posconnect.change.Image.Header;
import io.posconnect.change.Segment.Word;
import java.util.List;

/** Images of any content, which a digest of its own accord would take long to come to. */
public final class Images {

  private Images() {}

  public static Image of(Header header, int slot, List<StoredEntry> entries) {
    Segment segment = new Segment(header.sequence(), header.run(), slot);
    entries.forEach(entry -> segment.append(entry.key(), Word.of(entry.state(), entry.hash()), 0));
    return new Image(new SegmentLog(Segments.DEFAULT, header.run()), segment, header);
  }
}
