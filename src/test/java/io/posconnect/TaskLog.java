package io.posconnect;

import java.io.StringWriter;
import java.util.List;
import org.apache.logging.log4j.Level;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.WriterAppender;
import org.apache.logging.log4j.core.config.Configurator;
import org.apache.logging.log4j.core.layout.PatternLayout;

/** What an operator would read of the connector in the worker's log. */
public final class TaskLog implements AutoCloseable {

  private static final String OURS = "io.posconnect";

  private final StringWriter text = new StringWriter();
  private final Logger root = (Logger) LogManager.getRootLogger();
  private final WriterAppender appender =
      WriterAppender.newBuilder()
          .setName("task-log")
          .setTarget(text)
          .setLayout(
              PatternLayout.newBuilder()
                  .withPattern("%level %X{connector.context}%m%n%throwable")
                  .build())
          .build();

  private TaskLog() {
    appender.start();
    root.addAppender(appender);
  }

  /** Listens to warnings and worse from now on. */
  public static TaskLog listen() {
    return new TaskLog();
  }

  /** Listens to whatever a worker logs unless it is told otherwise. */
  public static TaskLog listenAtInfo() {
    Configurator.setLevel(OURS, Level.INFO);
    return new TaskLog();
  }

  public String text() {
    return text.toString();
  }

  public List<String> lines() {
    return text().lines().toList();
  }

  @Override
  public void close() {
    Configurator.setLevel(OURS, Level.WARN);
    root.removeAppender(appender);
    appender.stop();
  }
}
