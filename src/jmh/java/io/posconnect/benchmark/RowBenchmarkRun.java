package io.posconnect.benchmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Collection;
import org.junit.jupiter.api.Test;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;

/** Runs the benchmarks of single steps with their garbage, each in a JVM of its own. */
class RowBenchmarkRun {

  @Test
  void measuresTheStepsOfRow() throws RunnerException {
    Collection<RunResult> results =
        new Runner(
                new OptionsBuilder()
                    .include(System.getProperty("jmh", "io\\.posconnect\\..*Benchmark\\..*"))
                    .forks(1)
                    .jvmArgs("-Xmx512m", "-XX:+UseSerialGC")
                    .warmupIterations(3)
                    .warmupTime(TimeValue.seconds(1))
                    .measurementIterations(5)
                    .measurementTime(TimeValue.seconds(1))
                    .addProfiler(GCProfiler.class)
                    .build())
            .run();
    assertThat(results).isNotEmpty();
  }
}
