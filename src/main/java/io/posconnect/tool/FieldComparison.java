package io.posconnect.tool;

import io.posconnect.change.ContentHash;
import io.posconnect.json.JsonText;
import io.posconnect.json.Row;
import io.posconnect.resource.Key;
import io.posconnect.resource.Privacy;
import io.posconnect.resource.Resource;
import io.posconnect.tool.StreamResult.FieldDifference;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Names the fields in which two rows differ, with the form of their values. The values themselves
 * are shown only if that is asked for, and never those that are private or look personal.
 */
final class FieldComparison {

  private static final String ABSENT = "nothing";
  private static final int LONGEST_VALUE = 100;

  private final ContentHash hash = new ContentHash(Set.of());
  private final Resource resource;
  private final Privacy privacy;
  private final AuditedStream stream;
  private final boolean showValues;

  FieldComparison(AuditedStream stream, boolean showValues) {
    this.resource = stream.settings().resource();
    this.privacy = stream.privacy();
    this.stream = stream;
    this.showValues = showValues;
  }

  /** The fields that differ, in the order of their names in the topic, then at the service. */
  List<FieldDifference> of(Row topic, Row service) {
    Set<String> names = new LinkedHashSet<>(topic.names().list());
    service.names().list().stream().filter(name -> topic.find(name) < 0).forEach(names::add);
    PersonalFields personal = new PersonalFields(privacy, resource.keyFields());
    personal.add(topic);
    personal.add(service);
    List<FieldDifference> differences = new ArrayList<>();
    for (String name : names) {
      int one = topic.find(name);
      int other = service.find(name);
      if (!stream.ignores(name) && hash(topic, one) != hash(service, other)) {
        boolean open = showValues && isPublic(name, personal);
        differences.add(
            new FieldDifference(name, shown(topic, one, open), shown(service, other, open)));
      }
    }
    return differences;
  }

  /** Null is as good as absent. */
  private long hash(Row row, int field) {
    return field < 0 || row.kind(field) == Row.Kind.NULL ? -1 : hash.of(Row.parse(row.text(field)));
  }

  private boolean isPublic(String name, PersonalFields personal) {
    Privacy.Field rule = privacy.fields().find(name);
    return rule.action() == Privacy.Action.KEEP
        && rule.within().isEmpty()
        && personal.found().stream()
            .noneMatch(path -> path.equals(name) || path.startsWith(name + "."));
  }

  private static String shown(Row row, int field, boolean open) {
    if (field < 0 || row.kind(field) == Row.Kind.NULL) {
      return ABSENT;
    }
    if (!open) {
      JsonText value = JsonText.of(row, field);
      return Mask.of(value, Observation.of(value));
    }
    String text = row.text(field);
    return text.length() > LONGEST_VALUE ? text.substring(0, LONGEST_VALUE) + ".." : text;
  }

  /** A key; its parts that look personal are masked. */
  String shown(Key key) {
    if (key.isNumber()) {
      return key.toString();
    }
    return JsonText.of(Row.parse(key.text())).items().stream()
        .map(
            part ->
                PersonalFields.isPersonal(part)
                    ? Mask.of(part, Observation.of(part))
                    : part.value())
        .collect(Collectors.joining(", ", "[", "]"));
  }
}
