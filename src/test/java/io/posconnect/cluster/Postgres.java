package io.posconnect.cluster;

import io.posconnect.Io;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** A PostgreSQL that is installed here, on one port for its whole life; it can be killed. */
public final class Postgres implements AutoCloseable {

  /** Where Debian keeps a folder for each version. */
  private static final Path VERSIONS = Path.of("/usr/lib/postgresql");

  private static final Duration START = Duration.ofMinutes(1);

  /** The server refuses to run as root. */
  private static final List<String> NOBODY =
      List.of("setpriv", "--reuid=nobody", "--regid=nogroup", "--clear-groups");

  private final RunFolders run = RunFolders.create("postgres");
  private final int port = Node.freePort();
  private final Path programs;
  private final Path folder;
  private Child child;

  private Postgres(Path programs) {
    this.programs = programs;
    // Another user has to reach it, whatever folder the project is in.
    Path open = Io.unchecked(() -> Files.createTempDirectory("postgres"));
    Set<PosixFilePermission> all = PosixFilePermissions.fromString("rwxrwxrwx");
    folder = Io.unchecked(() -> Files.setPosixFilePermissions(open, all));
  }

  /** The programs of the newest version from 15 on, for keys of which a part is null. */
  public static Optional<Path> installed() {
    if (!Files.isDirectory(VERSIONS)) {
      return Optional.empty();
    }
    return Io.list(VERSIONS).stream()
        .filter(version -> version.getFileName().toString().matches("\\d+"))
        .filter(version -> number(version) >= 15)
        .max(Comparator.comparingInt(Postgres::number))
        .map(version -> version.resolve("bin"))
        .filter(bin -> Files.isExecutable(bin.resolve("initdb")));
  }

  private static int number(Path version) {
    return Integer.parseInt(version.getFileName().toString());
  }

  /** Makes an empty database and starts its server. */
  public static Postgres start(Path programs) {
    Postgres server = new Postgres(programs);
    try {
      server
          .program("initdb", "-U", "pos", "-A", "trust", "-E", "UTF8", "--locale=C")
          .awaitSuccess(START);
      server.start();
      return server;
    } catch (RuntimeException e) {
      server.close();
      throw e;
    }
  }

  private Child program(String name, String... arguments) {
    List<String> command = new ArrayList<>();
    if ("root".equals(System.getProperty("user.name"))) {
      command.addAll(NOBODY);
    }
    command.addAll(
        List.of(programs.resolve(name).toString(), "-D", folder.resolve("data").toString()));
    command.addAll(List.of(arguments));
    return Child.program(name, run, command);
  }

  /** Starts it, also after a crash, and returns once it serves. */
  public void start() {
    child =
        program(
            "postgres",
            "-c",
            "listen_addresses=127.0.0.1",
            "-c",
            "port=" + port,
            "-c",
            "unix_socket_directories=");
    child.awaitReady(START, this::serves);
  }

  private boolean serves() throws IOException {
    try (Connection connection = connect()) {
      return connection.isValid(1);
    } catch (SQLException e) {
      throw new IOException(e);
    }
  }

  /** Ends all its processes at once, as the end of its machine would. */
  public void kill9() {
    child.kill9();
    // Its number may still be that of a process that nobody has waited for.
    Io.unchecked(() -> Files.deleteIfExists(folder.resolve("data").resolve("postmaster.pid")));
  }

  public String url() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  public Connection connect() throws SQLException {
    return DriverManager.getConnection(url(), "pos", "");
  }

  @Override
  public void close() {
    if (child != null) {
      child.kill9();
    }
    run.deleteData();
    RunFolders.delete(folder);
  }
}
