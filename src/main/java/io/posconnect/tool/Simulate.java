package io.posconnect.tool;

import io.posconnect.simulator.Simulation;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Runs the simulated service, for those who have no key yet. */
@Command(name = "simulate")
final class Simulate implements Callable<Integer> {

  @Option(names = "--host", paramLabel = "NAME", defaultValue = "127.0.0.1")
  private String host = "";

  @Option(names = "--port", paramLabel = "N", defaultValue = "0")
  private int port;

  @Option(names = "--key", paramLabel = "TEXT")
  private List<String> keys = new ArrayList<>();

  @Option(names = "--changes", paramLabel = "X", defaultValue = "2")
  private double changes;

  @Option(names = "--faults", paramLabel = "X", defaultValue = "0")
  private double faults;

  @Option(names = "--seed", paramLabel = "N", defaultValue = "1")
  private int seed;

  @Option(names = "--seconds", paramLabel = "N", defaultValue = "" + Long.MAX_VALUE)
  private long seconds;

  @Spec private CommandSpec command = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    Simulation running = start();
    try {
      var unused = new CountDownLatch(1).await(seconds, TimeUnit.SECONDS);
      return ExitCode.OK.number;
    } finally {
      running.close();
    }
  }

  private Simulation start() {
    try {
      return Simulation.start(
          Tool.screen(command)::document,
          new Simulation.Options(host, port, keys, changes, faults, seed));
    } catch (IllegalArgumentException e) {
      throw ExitCode.UNREADABLE.because(String.valueOf(e.getMessage()));
    } catch (UncheckedIOException e) {
      throw ExitCode.BROKEN.because(String.valueOf(e.getMessage()));
    }
  }
}
