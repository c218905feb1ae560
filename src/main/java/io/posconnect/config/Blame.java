package io.posconnect.config;

import io.posconnect.config.Setting.Scope;
import io.posconnect.resource.Stream;
import org.apache.kafka.common.config.SslConfigs;

/** Which setting an answer of the service speaks against. */
public enum Blame {
  /** Nobody there, or somebody else. */
  BASE_URL("correct it, or set validate.connection=false if the service is only down for now") {
    @Override
    String setting(SourceConfig config, Stream stream) {
      return ofLocation(config, ServiceSettings.BASE_URL, stream, false);
    }
  },
  /** The key is unknown. */
  API_KEY("set it to the key of that store") {
    @Override
    String setting(SourceConfig config, Stream stream) {
      return ofLocation(config, ServiceSettings.API_KEY, stream, true);
    }
  },
  /** The key is known, but may not read that. */
  PERMISSION("have the key granted it, or take the resource out of those to read") {
    @Override
    String setting(SourceConfig config, Stream stream) {
      return API_KEY.setting(config, stream);
    }
  },
  /** Nothing at that path. */
  PATH("correct it") {
    @Override
    String setting(SourceConfig config, Stream stream) {
      return ofResource(ReadingSettings.PATH, stream);
    }
  },
  /** Something at that path, but not what the retrieval expects. */
  RETRIEVAL("correct it, or the names of its parameters") {
    @Override
    String setting(SourceConfig config, Stream stream) {
      return ofResource(ReadingSettings.RETRIEVAL, stream);
    }
  },
  /** The numbered pages of a snapshot are not where they should be. */
  SNAPSHOT("set it to list, or correct snapshot.path beside it") {
    @Override
    String setting(SourceConfig config, Stream stream) {
      return ofResource(ReadingSettings.SNAPSHOT, stream);
    }
  },
  /** The rows do not have those fields. */
  KEY_FIELDS("name fields that identify a row") {
    @Override
    String setting(SourceConfig config, Stream stream) {
      return ofResource(ReadingSettings.KEY_FIELDS, stream);
    }
  },
  /** No record can be made of the declared schema and key. */
  SCHEMA("correct it") {
    @Override
    String setting(SourceConfig config, Stream stream) {
      String inline = ofResource(ReadingSettings.SCHEMA, stream);
      String file = ofResource(ReadingSettings.SCHEMA_FILE, stream);
      return config.given(inline)
          ? inline
          : config.given(file) ? file : KEY_FIELDS.setting(config, stream);
    }
  },
  /** No connection can be made of the settings, most likely because of a store. */
  STORES("correct it") {
    @Override
    String setting(SourceConfig config, Stream stream) {
      return config.given(SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG)
              && !config.given(SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG)
          ? SslConfigs.SSL_KEYSTORE_LOCATION_CONFIG
          : SslConfigs.SSL_TRUSTSTORE_LOCATION_CONFIG;
    }
  },
  /** The proxy refuses. */
  PROXY("correct it") {
    @Override
    String setting(SourceConfig config, Stream stream) {
      return ServiceSettings.PROXY_URL.name();
    }
  };

  private final String remedy;

  Blame(String remedy) {
    this.remedy = remedy;
  }

  /** What to do about it. */
  String remedy() {
    return remedy;
  }

  abstract String setting(SourceConfig config, Stream stream);

  private static String ofResource(Setting<?> setting, Stream stream) {
    return Scoped.key(Scope.RESOURCE, stream.resource(), setting.name());
  }

  /**
   * Where the value stands; where it should stand when it is missing, {@code each} if every
   * location needs one of its own.
   */
  private static String ofLocation(
      SourceConfig config, Setting<?> setting, Stream stream, boolean each) {
    String own = Scoped.key(Scope.LOCATION, stream.location(), setting.name());
    boolean several = !config.value(ServiceSettings.LOCATIONS).isEmpty();
    boolean missing = !config.given(setting.name());
    return config.given(own) || (each && several && missing) ? own : setting.name();
  }
}
