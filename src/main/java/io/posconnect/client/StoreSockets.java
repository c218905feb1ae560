package io.posconnect.client;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import javax.net.ssl.SSLSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens each new connection with the trust and key store as their files are now: a certificate that
 * is renewed on disk is in use some seconds later, without a restart. If the new stores cannot be
 * used, the old ones stay in use, and the log reports it once. Safe for several threads.
 */
final class StoreSockets extends SSLSocketFactory {

  private static final Logger log = LoggerFactory.getLogger(StoreSockets.class);

  static final long CHECK_NANOS = TimeUnit.SECONDS.toNanos(10);

  /** Changes with a file, or with the target of a link. */
  private record Stamp(Object time, long size, String id) {}

  private final List<Path> files;
  private final Supplier<Tls.Opened> opening;
  private final LongSupplier nanoTime;
  private Tls.Opened opened;
  private List<Stamp> stamps;
  private long checkedNanos;

  /**
   * Opens the stores.
   *
   * @param opening throws {@link IllegalArgumentException} where they cannot be used
   * @param nanoTime a monotonic clock
   */
  StoreSockets(List<Path> files, Supplier<Tls.Opened> opening, LongSupplier nanoTime) {
    this.files = List.copyOf(files);
    this.opening = opening;
    this.nanoTime = nanoTime;
    checkedNanos = nanoTime.getAsLong();
    // Before they are read, so that a change meanwhile is detected.
    stamps = stamps();
    opened = opening.get();
  }

  synchronized Tls.Opened opened() {
    long now = nanoTime.getAsLong();
    if (!files.isEmpty() && now - checkedNanos >= CHECK_NANOS) {
      checkedNanos = now;
      List<Stamp> found = stamps();
      if (!found.equals(stamps)) {
        stamps = found;
        renew();
      }
    }
    return opened;
  }

  private void renew() {
    try {
      opened = opening.get();
      log.info("{} changed: new connections use the new content", files);
    } catch (IllegalArgumentException e) {
      log.error("{}; {} changed, and the earlier content stays in use", e.getMessage(), files);
    }
  }

  private List<Stamp> stamps() {
    return files.stream().map(StoreSockets::stamp).toList();
  }

  private static Stamp stamp(Path file) {
    try {
      BasicFileAttributes found = Files.readAttributes(file, BasicFileAttributes.class);
      return new Stamp(found.lastModifiedTime(), found.size(), String.valueOf(found.fileKey()));
    } catch (IOException e) {
      return new Stamp("absent", 0, "");
    }
  }

  private SSLSocketFactory current() {
    return opened().sockets();
  }

  @Override
  public String[] getDefaultCipherSuites() {
    return current().getDefaultCipherSuites();
  }

  @Override
  public String[] getSupportedCipherSuites() {
    return current().getSupportedCipherSuites();
  }

  @Override
  public Socket createSocket(Socket below, String host, int port, boolean closing)
      throws IOException {
    return current().createSocket(below, host, port, closing);
  }

  @Override
  public Socket createSocket(String host, int port) throws IOException {
    return current().createSocket(host, port);
  }

  @Override
  public Socket createSocket(String host, int port, InetAddress local, int localPort)
      throws IOException {
    return current().createSocket(host, port, local, localPort);
  }

  @Override
  public Socket createSocket(InetAddress host, int port) throws IOException {
    return current().createSocket(host, port);
  }

  @Override
  public Socket createSocket(InetAddress host, int port, InetAddress local, int localPort)
      throws IOException {
    return current().createSocket(host, port, local, localPort);
  }
}
