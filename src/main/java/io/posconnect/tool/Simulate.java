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
@Command(
    name = "simulate",
    header = "Starts a simulated service, for those who have no key yet.",
    description = {
      "Starts the service that the connector's own tests and its quick start use: the paths, pages,"
          + " filters and limits of the interface, with made-up products, customers, transactions"
          + " and stock that change as on a busy day. It needs no file and stores nothing.",
      "",
      "The first line has its address and its keys. It runs until Ctrl-C."
    },
    footerHeading = "%nExamples:%n",
    footer = {
      "  pos-tool simulate --port 8085",
      "  pos-tool simulate --port 8085 --key downtown --key airport --changes 20",
      "  pos-tool simulate --port 8085 --faults 0.05",
      "      one request of twenty fails: 503, 429, or a body that breaks off"
    })
final class Simulate implements Callable<Integer> {

  @Option(
      names = "--host",
      paramLabel = "NAME",
      defaultValue = "127.0.0.1",
      description = "Address to listen on. Default: ${DEFAULT-VALUE}, this machine alone")
  private String host = "";

  @Option(
      names = "--port",
      paramLabel = "N",
      defaultValue = "0",
      description = "Port to listen on. Default: a free one")
  private int port;

  @Option(
      names = "--key",
      paramLabel = "TEXT",
      description = "Key of a location; once for each location. Default: simulated-key-1")
  private List<String> keys = new ArrayList<>();

  @Option(
      names = "--changes",
      paramLabel = "X",
      defaultValue = "2",
      description = "Changes a second at each location. Default: ${DEFAULT-VALUE}")
  private double changes;

  @Option(
      names = "--faults",
      paramLabel = "X",
      defaultValue = "0",
      description = "Share of the requests that fail, up to 1. Default: ${DEFAULT-VALUE}")
  private double faults;

  @Option(
      names = "--seed",
      paramLabel = "N",
      defaultValue = "1",
      description = "Which changes happen and what fails. Default: ${DEFAULT-VALUE}")
  private int seed;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      defaultValue = "" + Long.MAX_VALUE,
      description = "Ends after that time. Default: never")
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
