package io.posconnect;

import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Reads the files that we hand out more strictly than their programs do: nothing stands twice. */
public final class StrictFiles {

  public static final ObjectMapper YAML =
      YAMLMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();
  private static final ObjectMapper JSON =
      JsonMapper.builder().enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION).build();

  private StrictFiles() {}

  public static JsonNode yaml(Path file) throws IOException {
    return yaml(Files.readString(file));
  }

  public static JsonNode yaml(String text) throws IOException {
    return YAML.readTree(text);
  }

  public static JsonNode json(Path file) throws IOException {
    return JSON.readTree(Files.readString(file));
  }
}
