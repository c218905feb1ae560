package io.posconnect;

import java.io.StringWriter;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.WriterAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.layout.PatternLayout;

/** Collects the connector's lines of the worker's log. */
public final class TaskLog implements AutoCloseable {

  private static final String OURS = "io.posconnect";

  private final StringWriter text = new StringWriter();
  private final Logger logger;
  private final WriterAppender appender =
      WriterAppender.newBuilder()
          .setName("task-log")
          .setTarget(text)
          .setLayout(
              PatternLayout.newBuilder()
                  .withPattern("%level %X{connector.context}%m%n%throwable")
                  .build())
          .build();

  private TaskLog(Logger logger) {
    this.logger = logger;
    appender.start();
    logger.addAppender(appender);
  }

  /** Listens to warnings and worse from now on. */
  public static TaskLog listen() {
    return new TaskLog((Logger) LogManager.getRootLogger());
  }

  /** Listens to every line of the connector from now on, at any level, in place of the console. */
  static TaskLog listenToEverything() {
    TaskLog log = new TaskLog((Logger) LogManager.getLogger(OURS));
    log.logger.setAdditive(false);
    Configurator.setLevel(OURS, Level.ALL);
    return log;
  }

  /** Listens at a worker's default level. */
  public static TaskLog listenAtInfo() {
    Configurator.setLevel(OURS, Level.INFO);
    return listen();
  }

  public String text() {
    return text.toString();
  }

  public List<String> lines() {
    return text().lines().toList();
  }

  @Override
  public void close() {
    logger.removeAppender(appender);
    Configurator.setLevel(OURS, Level.WARN);
    if (logger.getName().equals(OURS)) {
      logger.setAdditive(true);
    }
    appender.stop();
  }
}
