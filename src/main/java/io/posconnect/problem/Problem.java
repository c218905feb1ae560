package io.posconnect.problem;

/**
 * The catalog of everything that can go wrong and that a person has to know of: codes, summaries
 * and remedies. Log lines, exceptions, errors of the REST API and the status of a task begin with
 * the code. The tables of {@code docs/errors.md} are made of this list, and explain the causes.
 *
 * <p>The codes are public: a released code keeps its meaning for ever and is never used again. The
 * first digit is the area: 1 the configuration, 2 the key and what it may read, 3 the way to the
 * service, 4 what the service answers, 5 rows, 6 position and digest, 7 streams, tasks and the
 * worker, 8 the command line tool. The list is in the order of the codes.
 *
 * <p>A summary is a clause that begins with a small letter; remedies are sentences. A detail holds
 * neither a key nor a body; the caller who writes it guarantees that.
 */
public enum Problem {
  INVALID_VALUE(
      "POS-101",
      "the value has the wrong form or is out of bounds",
      "Use a value of the form that the message names."),
  UNKNOWN_SETTING(
      "POS-102", "this setting does not exist", "Correct the name, or remove the setting."),
  UNKNOWN_NAME(
      "POS-103",
      "this location or resource is not configured",
      "Correct the name, remove the setting, or list the location or resource and describe it."),
  MISSING_SETTING("POS-104", "a required setting is missing", "Set it."),
  CONTRADICTION("POS-105", "settings contradict each other", "Remove or change one of them."),
  UNENCRYPTED(
      "POS-106", "the API key would travel unencrypted", "Use https, or set allow.http=true."),
  UNSENDABLE_KEY(
      "POS-107",
      "the API key cannot be sent",
      "Copy the key or password again, or correct the reference to it."),
  SAME_LOCATION(
      "POS-108",
      "two locations are the same store",
      "Give each location its own key, or remove one of them."),
  TOPIC_NAME("POS-109", "the topic's name is illegal or already in use", "Choose other names."),
  UNREADABLE_FILE(
      "POS-110",
      "a file cannot be used on this worker",
      "Put the file on every worker, and check the settings that describe it."),
  UNUSABLE_SCHEMA(
      "POS-111",
      "the schema and the key fields do not fit together",
      "Correct the schema, the key fields or the private fields."),
  WRONG_ADDRESS(
      "POS-112",
      "the service does not answer at this address",
      "Correct base.url, proxy.url or the ssl settings; the log shows what answered. If"
          + " the service is down for now, set validate.connection=false."),
  WRONG_RETRIEVAL(
      "POS-113",
      "the path does not answer as the retrieval expects",
      "Correct the path, the retrieval, or the names of its parameters. If the service limits the"
          + " span of a date range, lower window.max.ms; if it limits pages, lower the resource's"
          + " page.size. If the service answers so for now, set validate.connection=false."),
  WRONG_SNAPSHOT(
      "POS-114",
      "the snapshot's path does not answer with numbered pages",
      "Set snapshot to list, or correct snapshot.path or page.size. If the service answers so for"
          + " now, set validate.connection=false."),
  PRIVATE_FIELD_ABSENT(
      "POS-115",
      "a private field is in no row",
      "Correct the path. If only a few rows have the field, no action is needed."),
  PARAMETER_IDLE(
      "POS-116",
      "a fixed parameter changes nothing",
      "Correct its name and value. If it concerns few rows, no action is needed."),
  FIELD_UNLISTED(
      "POS-117",
      "a field is not on the list of fields to keep",
      "If its values may be published, add it to include.fields. Otherwise no action is needed."),
  LOSS_TOLERATED(
      "POS-118",
      "events that cannot be written are lost in silence",
      "Set errors.tolerance to none. For what was lost, look with pos-tool audit."),
  TOPIC_GROUP_IDLE(
      "POS-119",
      "a group of topic.creation has no topic",
      "If its pattern has a former topic.prefix, or topic.creation.groups lacks it, correct that:"
          + " topic.creation.default, which may remove rows, holds for a topic that no group has."
          + " Otherwise no action is needed."),
  KEY_REFUSED(
      "POS-201",
      "the API key is unknown or revoked",
      "Correct the key in its provider or in the configuration. The connector then resumes by"
          + " itself. Until then, a changed configuration needs validate.connection=false."),
  PERMISSION_MISSING(
      "POS-202",
      "the API key lacks the permission for this path",
      "Grant the permission to the key: the connector then resumes by itself. Or remove the"
          + " resource from resources. Until then, a changed configuration needs"
          + " validate.connection=false. If the path is /whoami, which needs no permission, check the"
          + " key, and what stands between the worker and the service."),
  OTHER_STORE(
      "POS-203",
      "the API key opens another store than before",
      "Correct the key. If another store is intended, give it a location name of its own. If it"
          + " is still the same store, though most of its rows changed, stop the connector and set"
          + " the offset of each of its suspended streams to null."),
  UNKNOWN_STORE(
      "POS-204",
      "the store behind this key cannot be identified",
      "Check that each location has its own key."),
  KEY_UNRESOLVED("POS-205", "the key cannot be read from its provider", "Repair the provider."),
  PATH_UNKNOWN(
      "POS-206",
      "this path does not exist",
      "Correct base.url, or the resource's path or retrieval. If the path is absent for now, a changed"
          + " configuration needs validate.connection=false."),
  REQUEST_REFUSED(
      "POS-207",
      "the service does not accept the request",
      "For 400, 413 or 422, lower window.max.ms or the resource's page.size, or correct"
          + " the names of its parameters. For another status, contact the service's support."),
  ROWS_UNUSABLE(
      "POS-208",
      "the path does not answer with rows of this resource",
      "Correct the resource's path, retrieval or key.fields. If the service answers so for now, set"
          + " validate.connection=false."),
  HOST_UNKNOWN(
      "POS-301",
      "the host is unknown",
      "Correct base.url or proxy.url. If the name is right, check the name servers of the worker:"
          + " the connector retries."),
  UNREACHABLE(
      "POS-302",
      "the service cannot be reached",
      "The connector retries; no action is needed. If it persists, check the network between the"
          + " worker and the service."),
  TOO_SLOW(
      "POS-303",
      "the service takes too long",
      "The connector retries; no action is needed. If it persists, raise request.timeout.ms or"
          + " stall.timeout.ms; if the service answers 408, 504 or 524, contact its support."),
  TLS_FAILED(
      "POS-304",
      "the TLS connection is not trusted",
      "Set ssl.truststore.location or ssl.keystore.location, or correct base.url. If the certificate"
          + " has expired, have it renewed: the connector retries."),
  PROXY_REFUSES(
      "POS-305",
      "the proxy refuses the request",
      "Allow this worker to pass without a user, or correct proxy.url."),
  REDIRECT_REFUSED(
      "POS-306",
      "the service redirects to a place where the key must not go",
      "Correct base.url, and check what stands between the worker and the service."),
  THROTTLED(
      "POS-401",
      "the limit of requests per minute is exceeded",
      "The connector slows down; no action is needed. If it persists, give the connector a key of"
          + " its own, or lower rate.limit.share."),
  SERVICE_FAILED(
      "POS-402",
      "the service failed",
      "The connector retries; no action is needed. If it persists, contact the service's support."),
  BODY_MALFORMED(
      "POS-403",
      "the body does not hold the requested data",
      "The connector retries; no action is needed. If it persists, check base.url and what stands"
          + " between the worker and the service."),
  BODY_TOO_LARGE(
      "POS-404",
      "the body exceeds its limit",
      "Lower window.max.ms or the resource's page.size, or use a paged retrieval."),
  NO_SERVER_TIME(
      "POS-405", "the responses carry no readable time", "Keep the worker's clock correct."),
  VALIDATION_SKIPPED(
      "POS-406",
      "a probe of the configuration gave no result",
      "No action is needed. To skip the probes, set validate.connection=false."),
  ROW_TOO_LARGE(
      "POS-407",
      "a row does not end within its limit",
      "Make the row smaller at the service, or remove the resource from resources."),
  PAGES_LEAD_NOWHERE(
      "POS-408",
      "the pages of a list do not advance",
      "The connector reads the list again from its beginning; no action is needed. If it"
          + " persists, correct the resource's retrieval, snapshot, increments, path, first.page or"
          + " page.size."),
  TEXT_REPLACED(
      "POS-409", "some of the service's text is not UTF-8", "Correct the text at the service."),
  ODD_SERVER_TIME(
      "POS-410",
      "a response carries a wrong time",
      "The connector goes by the other responses; no action is needed. If it persists, correct the"
          + " clock of the service, or of what answers in its place."),
  STALE_RESPONSE(
      "POS-411",
      "an answer is old",
      "The connector retries; no action is needed. If it persists, exempt the connector's requests"
          + " from the cache, or raise the resource's lookback.ms above the age of its answers."),
  ROW_BROKEN(
      "POS-501",
      "a row cannot become an event",
      "Correct the row at the service, or the resource's key.fields. The setting errors.rows"
          + " decides whether such a row becomes a dead letter; if it is fail, restart the task"
          + " then."),
  DELETES_HELD(
      "POS-502",
      "too many keys vanished within an hour",
      "If the rows were really removed, no action is needed: the second read confirms it. If this"
          + " is ordinary for the resource, raise deletes.max.ratio."),
  DELETES_UNVERIFIED(
      "POS-503",
      "keys vanished while the location cannot be identified",
      "The connector asks again; no action is needed. If /whoami keeps failing, contact the"
          + " service's support."),
  DELETES_UNCERTAIN(
      "POS-504",
      "deletes wait for a row that cannot be read",
      "Correct the row at the service; the dead letters topic shows it. If a field of the row"
          + " changes at each read, add the field to the resource's ignore.fields: the row then holds"
          + " no later deletes, but still those that wait, and everything is emitted once more."),
  CEILING_REACHED(
      "POS-601",
      "the digest is full",
      "Raise digest.max.keys, lower reconcile.window.ms or window.max.ms, or read fewer rows with a"
          + " filtered retrieval. A suspended stream then resumes by itself; one that goes on needs"
          + " no action."),
  DIGEST_LOST(
      "POS-602",
      "parts of the digest are lost",
      "The connector repairs the rest by itself. Find out what wrote to the offsets topic, and look"
          + " with pos-tool audit for rows that vanished."),
  KEY_FIELDS_CHANGED(
      "POS-603",
      "the key fields changed",
      "Restore the key fields, or give snapshot.id a new value: every row is then emitted again"
          + " under its new key, and the old keys remain. If a registry refuses the new keys, publish"
          + " the events to another topic as well."),
  OFFSET_REFUSED(
      "POS-604",
      "the offset cannot be changed in this way",
      "Set {\"stream\": \"<location>/<resource>\"} to {\"watermark\": \"<instant>\"} or to null, or"
          + " give all offsets of the stream that another connector has."),
  OFFSET_UNREADABLE(
      "POS-605",
      "the stored offset cannot be read",
      "Stop the connector and set this offset to {\"watermark\": \"<instant>\"} to resume from"
          + " there, or to null to read everything again."),
  SNAPSHOT_BEGINS(
      "POS-606",
      "the connector reads and emits everything once more",
      "No action is needed. Events of the new snapshot have op r. But after a return to an earlier"
          + " topic, delete its older records: rows that were deleted meanwhile are among them. Kafka"
          + " does so only while its cleanup.policy has delete."),
  KEYS_REPLACED(
      "POS-607",
      "every row is emitted under a new key",
      "To remove the old keys, delete the records of the topic from before this snapshot, and what"
          + " consumers made of them. Kafka does so only while its cleanup.policy has delete."),
  CONTRACT_CHANGED(
      "POS-608",
      "the typed fields changed",
      "No action is needed. To emit every row once more in the new form, give snapshot.id a new"
          + " value."),
  VALUES_MISREAD(
      "POS-609",
      "values in the topic would be misread",
      "Restore the type, or declare the field under another name with the service's name as an"
          + " alias, or publish the events to another topic."),
  OFFSET_NEWER(
      "POS-610",
      "a newer version wrote the stored offset",
      "Install the newer version again on every worker. Or stop the connector and delete all of"
          + " its offsets: everything is then read and emitted once more."),
  START_KEPT(
      "POS-611",
      "start.from is earlier than what was read",
      "To read the earlier rows too, give snapshot.id a new value. Otherwise no action is needed."),
  OFFSET_OLDER(
      "POS-612",
      "an earlier build wrote the stored offset",
      "If everything is emitted once more, no action is needed. If the task fails, stop the"
          + " connector and set this offset to null: everything is then read and emitted once more."),
  MEMORY_REFUSED(
      "POS-613",
      "the memory of the stream does not belong here",
      "Stop the connector that has the memory, print its offsets again, take the stream out with"
          + " pos-tool offsets, and give the stream here the settings that it has there."),
  BASELINE_IGNORED(
      "POS-614",
      "snapshot.mode=baseline has no effect, since rows of the stream were emitted",
      "Remove snapshot.mode: audits take rows that are absent for rows of the baseline while it is"
          + " set."),
  STREAM_SUSPENDED(
      "POS-701",
      "the task fails because a stream is suspended",
      "The task does not resume by itself: correct the reason, then restart it. Or set"
          + " errors.streams=isolate."),
  ALL_SUSPENDED(
      "POS-702",
      "the task fails because all of its streams are suspended",
      "The task does not resume by itself: correct the reasons, then restart it."),
  CHECKPOINT_DROPPED(
      "POS-703",
      "a checkpoint was dropped",
      "Exempt the checkpoints topic, and the status topic, from the transform with a predicate. If"
          + " errors.tolerance is all, set it to none."),
  METRICS_REFUSED(
      "POS-704",
      "the metrics cannot be registered",
      "Read in the exception what holds the names, then restart the task."),
  STOPPED_LATE(
      "POS-705",
      "the task did not stop in time",
      "No action is needed. If it persists, restart the worker."),
  NOT_EXACTLY_ONCE(
      "POS-706",
      "the worker does not deliver exactly once, though the connector requires it",
      "Set exactly.once.source.support=enabled on every worker of a distributed group. Or set"
          + " exactly.once.support=requested."),
  CONFIGURATION_UNREADABLE(
      "POS-801",
      "the file is not a connector configuration",
      "Use the JSON that you would post to Connect, or a properties file."),
  REFERENCE_UNRESOLVED(
      "POS-802",
      "a reference cannot be resolved",
      "Run the tool where the worker runs, or refer to a variable: --set 'setting=${env:NAME}'.");

  private final String code;
  private final String summary;
  private final String remedy;

  Problem(String code, String summary, String remedy) {
    this.code = code;
    this.summary = summary;
    this.remedy = remedy;
  }

  /** Such as {@code POS-201}. */
  public String code() {
    return code;
  }

  /** What is wrong, in a clause that begins with a small letter. */
  public String summary() {
    return summary;
  }

  /** What a person does about it, in sentences. */
  public String remedy() {
    return remedy;
  }

  /** The line of {@link #incident(String)}, for an exception's message. */
  public String at(String subject) {
    return at(subject, summary);
  }

  /** The line of {@link #incident(String, String)}, for an exception's message. */
  public String at(String subject, String detail) {
    return incident(subject, detail).toString();
  }

  public Incident incident(String subject) {
    return incident(subject, summary);
  }

  /**
   * This problem, as it happened to that subject, where more is known than the summary.
   *
   * @param subject what it happened to, such as {@code airport/customers: GET /customer/customers
   *     401}
   * @param detail what is wrong in this case, in a clause that begins with a small letter
   */
  public Incident incident(String subject, String detail) {
    return new Incident(this, subject, detail);
  }
}
