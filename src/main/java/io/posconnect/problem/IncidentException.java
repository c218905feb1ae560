package io.posconnect.problem;

/** Refuses a value; the subject of its incident is the setting that holds the value. */
public final class IncidentException extends IllegalArgumentException {

  private final Incident incident;

  public IncidentException(Incident incident) {
    super(incident.toString());
    this.incident = incident;
  }

  public Incident incident() {
    return incident;
  }
}
