package io.posconnect.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.posconnect.cluster.Worker.HeapUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HeapUseTest {

  private static final long MEGABYTE = 1 << 20;

  @Test
  void takesThePeaksOfAllCollections(@TempDir Path folder) throws IOException {
    Path log =
        Files.writeString(
            folder.resolve("gc"),
            """
            [0.004s][info][gc] Using Serial
            [0.512s][info][gc] GC(0) Pause Young (Allocation Failure) 45M->12M(256M) 8.141ms
            [0.912s][info][gc] GC(1) Pause Full (Metadata GC Threshold) 31M->19M(256M) 40.0ms
            [1.512s][info][gc] GC(2) Pause Young (Allocation Failure) 512K->2K(256M) 1.0ms
            """);

    assertThat(HeapUse.read(log)).isEqualTo(new HeapUse(45 * MEGABYTE, 19 * MEGABYTE, 3));
  }

  @Test
  void isNothingWithoutALog(@TempDir Path folder) {
    assertThat(HeapUse.read(folder.resolve("none"))).isEqualTo(HeapUse.NONE);
  }
}
