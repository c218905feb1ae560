package io.posconnect;

import java.io.StringWriter;
import java.util.List;
import org.apache.logging.log4j.LogManager;
import org.apache.logging.log4j.core.Logger;
import org.apache.logging.log4j.core.appender.WriterAppender;
import org.apache.logging.log4j.core.layout.PatternLayout;

/** What an operator would read of the connector in the worker's log, warnings and worse. */
public final class TaskLog implements AutoCloseable {

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

  /** Listens from now on. */
  public static TaskLog listen() {
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
    root.removeAppender(appender);
    appender.stop();
  }
}
