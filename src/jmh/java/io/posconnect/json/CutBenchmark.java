package io.posconnect.json;

import io.posconnect.benchmark.ProductRows;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.Blackhole;

/** What it costs to find where a row ends, in nanoseconds a row. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class CutBenchmark {

  private final byte[] body = ProductRows.list(ProductRows.SAMPLE);

  @Benchmark
  @OperationsPerInvocation(ProductRows.SAMPLE)
  public void cut(Blackhole hole) throws IOException {
    ValueCutter cutter = new ValueCutter(new ByteArrayInputStream(body), BodyLimits.DEFAULT);
    cutter.take('[');
    hole.consume(cutter.cut());
    while (cutter.peek() == ',') {
      cutter.take(',');
      hole.consume(cutter.cut());
    }
  }
}
