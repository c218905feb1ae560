package io.posconnect.problem;

import org.jspecify.annotations.Nullable;

/** Refuses a value; the subject of its incident is the setting that holds the value. */
public final class IncidentException extends IllegalArgumentException {

  private final Incident incident;

  public IncidentException(Incident incident) {
    this(incident, null);
  }

  public IncidentException(Incident incident, @Nullable Throwable cause) {
    super(incident.toString(), cause);
    this.incident = incident;
  }

  public Incident incident() {
    return incident;
  }
}
