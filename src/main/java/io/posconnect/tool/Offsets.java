package io.posconnect.tool;

import com.fasterxml.jackson.databind.JsonNode;
import io.posconnect.offset.StreamMemory;
import io.posconnect.resource.Stream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.apache.kafka.connect.errors.ConnectException;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** Takes the memory of streams out of the offsets that Connect prints. */
@Command(name = "offsets")
final class Offsets implements Callable<Integer> {

  /** What Connect prints, and takes. */
  record Printed(List<Entry> offsets) {
    Printed {
      offsets = List.copyOf(offsets);
    }
  }

  /** An offset, or null to reset it, and its partition. */
  record Entry(Map<String, ?> partition, @Nullable Map<String, ?> offset) {
    Entry {
      partition = Map.copyOf(partition);
    }
  }

  @Parameters(paramLabel = "FILE", arity = "0..1", descriptionKey = "file")
  private @Nullable Path file;

  @Option(names = "--location", paramLabel = "NAME")
  private List<String> locations = List.of();

  @Option(names = "--stream", paramLabel = "LOCATION/RESOURCE")
  private List<String> streams = List.of();

  @Option(names = "--reset")
  private boolean reset;

  @Spec private CommandSpec command = CommandSpec.create();

  @Override
  public Integer call() {
    Collection<StreamMemory> all = read();
    List<String> absent = new ArrayList<>(locations);
    all.forEach(memory -> absent.removeIf(memory.stream().location()::equals));
    absent.addAll(streams);
    all.forEach(memory -> absent.removeIf(memory.stream().id()::equals));
    if (all.isEmpty() || !absent.isEmpty()) {
      throw ExitCode.FOUND.because(
          "No offset belongs to %s."
              .formatted(absent.isEmpty() ? "a stream" : String.join(", ", absent)));
    }
    List<StreamMemory> chosen = all.stream().filter(this::isChosen).toList();
    List<Entry> printed = new ArrayList<>();
    List<String> refusals = new ArrayList<>();
    for (StreamMemory memory : chosen) {
      try {
        print(memory, printed);
      } catch (ConnectException e) {
        refusals.add(String.valueOf(e.getMessage()));
      }
    }
    if (!refusals.isEmpty()) {
      throw ExitCode.FOUND.because(Tool.lines(refusals));
    }
    JsonNode document = ConnectorConfig.JSON.valueToTree(new Printed(printed));
    Tool.screen(command).document(document.toPrettyString());
    return ExitCode.OK.number;
  }

  private boolean isChosen(StreamMemory memory) {
    Stream stream = memory.stream();
    return (locations.isEmpty() && streams.isEmpty())
        || locations.contains(stream.location())
        || streams.contains(stream.id());
  }

  private void print(StreamMemory memory, List<Entry> to) {
    if (!reset) {
      memory.digest(); // which refuses what is not whole
    }
    memory
        .sealed()
        .offsets()
        .forEach((partition, offset) -> to.add(new Entry(partition, reset ? null : offset)));
  }

  private Collection<StreamMemory> read() {
    try (InputStream in = file == null ? System.in : Files.newInputStream(file)) {
      Map<Map<String, ?>, Map<String, ?>> all = new LinkedHashMap<>();
      Printed printed = ConnectorConfig.JSON.readValue(in, Printed.class);
      for (Entry entry : printed == null ? List.<Entry>of() : printed.offsets()) {
        Map<String, ?> offset = entry.offset();
        if (offset == null || all.put(entry.partition(), offset) != null) {
          throw unreadable("it has " + entry.partition() + " twice, or no offset of it");
        }
      }
      return StreamMemory.of(all);
    } catch (ConnectException e) {
      throw ExitCode.FOUND.because(String.valueOf(e.getMessage()));
    } catch (IOException e) {
      // Its message would quote the file.
      throw unreadable(
          "there is no such file, or not what Connect prints of a connector's offsets");
    }
  }

  private EndedException unreadable(String why) {
    String from = file == null ? "standard input" : file.toString();
    return ExitCode.UNREADABLE.because(
        "The offsets in %s cannot be read: %s.".formatted(from, why));
  }
}
