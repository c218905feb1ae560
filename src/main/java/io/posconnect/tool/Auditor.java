package io.posconnect.tool;

import io.posconnect.config.SourceConfig;
import io.posconnect.resource.Stream;
import io.posconnect.tool.TopicSource.ForbiddenException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Audits streams, one topic after the other, so that only the keys of one are in memory.
 *
 * @param readers of the service, for each stream
 */
record Auditor(
    SourceConfig config,
    TopicSource topics,
    RecordDecoder decoder,
    Function<Stream, StreamReader> readers) {

  List<StreamResult> audit(List<Stream> streams, TopicAudit.Options options) {
    Checkpoints checkpoints = new Checkpoints(config, topics, decoder);
    Map<String, List<Stream>> byTopic =
        streams.stream()
            .collect(Collectors.groupingBy(config.topics()::of, TreeMap::new, Collectors.toList()));
    List<StreamResult> results = new ArrayList<>();
    byTopic.forEach(
        (topic, ofTopic) -> {
          try {
            checkpoints.update();
            results.addAll(
                new TopicAudit(
                        new TopicRecords(this, ofTopic, checkpoints, options),
                        checkpoints,
                        readers,
                        options)
                    .run());
          } catch (ForbiddenException e) {
            ofTopic.forEach(
                each ->
                    results.add(
                        StreamResult.undecided(each, topic, String.valueOf(e.getMessage()))));
          }
        });
    return results;
  }
}
