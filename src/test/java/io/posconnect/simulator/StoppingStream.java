package io.posconnect.simulator;

import java.io.IOException;
import java.io.OutputStream;

/** Does something at one position of the stream, after all bytes before it have gone out. */
final class StoppingStream extends OutputStream {

  /** What to do; throws to let nothing more pass. */
  @FunctionalInterface
  interface Incident {
    void happen() throws IOException;
  }

  private final OutputStream out;
  private final long position;
  private final Incident incident;
  private long passed;
  private boolean happened;

  StoppingStream(OutputStream out, long position, Incident incident) {
    this.out = out;
    this.position = position;
    this.incident = incident;
  }

  @Override
  public void write(int b) throws IOException {
    write(new byte[] {(byte) b}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int length) throws IOException {
    int before = 0;
    if (!happened && passed + length >= position) {
      before = (int) (position - passed);
      out.write(bytes, from, before);
      out.flush();
      happened = true;
      incident.happen();
    }
    out.write(bytes, from + before, length - before);
    passed += length;
  }

  @Override
  public void flush() throws IOException {
    out.flush();
  }
}
