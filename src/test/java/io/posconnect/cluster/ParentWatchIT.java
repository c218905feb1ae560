package io.posconnect.cluster;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class ParentWatchIT {

  @Test
  void childEndsWhenItsParentIsKilled() throws IOException {
    Process parent =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Parent.class.getName())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    long pid;
    try (var out = new BufferedReader(new InputStreamReader(parent.getInputStream(), UTF_8))) {
      pid = Long.parseLong(out.readLine());
      assertThat(ProcessHandle.of(pid)).isPresent();
    } finally {
      parent.destroyForcibly();
    }

    Awaitility.await("end of child " + pid)
        .atMost(Duration.ofSeconds(20))
        .until(() -> ProcessHandle.of(pid).isEmpty());
  }

  @Test
  void childThatIsStoppedEndsByItself() {
    Child child = sleeper();
    child.stop();

    assertThat(child.exitValue()).isNotEqualTo(ParentWatch.ORPHANED);
  }

  private static Child sleeper() {
    List<String> program =
        List.of("-cp", System.getProperty("java.class.path"), Sleeper.class.getName());
    return new Child.Command(
            KafkaRelease.current().executable(), "32m", List.of(), program, List.of())
        .start("sleeper", RunFolders.create("parent-watch"));
  }

  /** Starts a child and prints its id; both would live for ever. */
  public static final class Parent {
    private Parent() {}

    public static void main(String[] arguments) throws InterruptedException {
      System.out.println(sleeper().pid());
      new CountDownLatch(1).await();
    }
  }

  /** Lives for ever. */
  public static final class Sleeper {
    private Sleeper() {}

    public static void main(String[] arguments) throws InterruptedException {
      new CountDownLatch(1).await();
    }
  }
}
