package io.posconnect.problem;

/**
 * The catalog of everything that can go wrong and that a person has to know of: codes, causes and
 * remedies. Log lines, exceptions, errors of the REST API and the status of a task begin with the
 * code; {@code docs/errors.md} is generated from this list.
 *
 * <p>The codes are public: a released code keeps its meaning for ever and is never used again. The
 * first digit is the area: 1 the configuration, 2 the key and what it may read, 3 the way to the
 * service, 4 what the service answers, 5 rows, 6 position and digest, 7 the worker, 8 the command
 * line tool. The list is in the order of the codes.
 *
 * <p>A summary is a clause that begins with a small letter; causes and remedies are sentences. A
 * detail holds neither a key nor a body; the caller who writes it guarantees that.
 */
public enum Problem {
  INVALID_VALUE(
      "POS-101",
      "the value has the wrong form or is out of bounds",
      "A setting has a value that it cannot take.",
      "Use a value of the form that the message names."),
  UNKNOWN_SETTING(
      "POS-102",
      "this setting does not exist",
      "A name under resources. or locations. is misspelt, or the setting belongs somewhere else.",
      "Correct the name, or remove the setting."),
  UNKNOWN_NAME(
      "POS-103",
      "this location or resource is not configured",
      "A setting names a location or resource that no other setting lists or describes.",
      "Correct the name, remove the setting, or list the location or resource and describe it."),
  MISSING_SETTING(
      "POS-104", "a required setting is missing", "A required setting has no value.", "Set it."),
  CONTRADICTION(
      "POS-105",
      "settings contradict each other",
      "Two settings exclude each other, or one of them would have no effect.",
      "Remove or change one of them."),
  UNENCRYPTED(
      "POS-106",
      "the API key would travel unencrypted",
      "The address is plain HTTP, and the host is not this machine or a proxy stands in between.",
      "Use https, or set allow.http=true."),
  UNSENDABLE_KEY(
      "POS-107",
      "the API key cannot be sent",
      "A key holds a colon, begins or ends with white space or an invisible character, or a key or"
          + " password holds a control character.",
      "Copy the key or password again."),
  SAME_LOCATION(
      "POS-108",
      "two locations are the same store",
      "Two locations have the same key at the same address.",
      "Give each location its own key, or remove one of them."),
  TOPIC_NAME(
      "POS-109",
      "the topic's name is illegal or already in use",
      "topic.prefix, topic.template and the names of the other topics do not give legal, distinct"
          + " names, or one of them is the name of a topic of Kafka, Connect or a registry.",
      "Choose other names."),
  UNREADABLE_FILE(
      "POS-110",
      "a file cannot be used on this worker",
      "A schema, trust store or key store is missing or unreadable, or its type or password is"
          + " wrong.",
      "Put the file on every worker, and check the settings that describe it."),
  UNUSABLE_SCHEMA(
      "POS-111",
      "the schema and the key fields do not fit together",
      "No records can be made of the declared Avro schema and the key fields.",
      "Correct the schema or the key fields."),
  WRONG_ADDRESS(
      "POS-112",
      "the service does not answer at this address",
      "Validation found nothing at the address, or something other than the service. The worker's"
          + " log shows what answered; the REST API does not.",
      "Correct base.url, proxy.url or the ssl settings; the log shows what answered. If"
          + " the service is down for now, set validate.connection=false."),
  WRONG_RETRIEVAL(
      "POS-113",
      "the path does not answer as the retrieval expects",
      "Validation sent a request, and the service refused it or answered in another shape.",
      "Correct the path, the retrieval, or the names of its parameters. If the service limits the"
          + " span of a date range, lower window.max.ms; if it limits pages, lower the resource's"
          + " page.size. If a page for people stands there for now, set validate.connection=false."),
  WRONG_SNAPSHOT(
      "POS-114",
      "the snapshot's path does not answer with numbered pages",
      "Validation found no numbered pages, which snapshot=pages needs.",
      "Set snapshot to list, or correct snapshot.path or page.size."),
  PRIVATE_FIELD_ABSENT(
      "POS-115",
      "a private field is in no row",
      "No row of a full read, or of the sample of a check, has a field of a path in exclude.fields"
          + " or hash.fields. If the path is misspelt, or the service has renamed the field, its"
          + " values are published.",
      "Correct the path. If only a few rows have the field, no action is needed."),
  PARAMETER_IDLE(
      "POS-116",
      "a fixed parameter changes nothing",
      "A sample has the same rows with and without a parameter of parameters, so the service may not"
          + " know it.",
      "Correct its name and value. If it concerns few rows, no action is needed."),
  FIELD_UNLISTED(
      "POS-117",
      "a field is not on the list of fields to keep",
      "Rows have a field that include.fields does not name. The connector removes it.",
      "If its values may be published, add it to include.fields. Otherwise no action is needed."),
  KEY_REFUSED(
      "POS-201",
      "the API key is unknown or revoked",
      "The service answers 401: it does not accept the key or its password. The answer of /whoami"
          + " decides: while it does not answer, each resource decides for itself.",
      "Correct the key in its provider or in the configuration. The connector then resumes by"
          + " itself. Until then, a changed configuration needs validate.connection=false."),
  PERMISSION_MISSING(
      "POS-202",
      "the API key lacks the permission for this path",
      "The service answers 403, or 401 though /whoami accepts the key: the key lacks Inventory,"
          + " Customer or Reporting.",
      "Grant the permission to the key: the connector then resumes by itself. Or remove the"
          + " resource from resources. Until then, a changed configuration needs"
          + " validate.connection=false. If the path is /whoami, which needs no permission, check the"
          + " key, and what stands between the worker and the service."),
  OTHER_STORE(
      "POS-203",
      "the API key opens another store than before",
      "/whoami names another store than the stored offsets, and its rows differ from those that"
          + " were published. The connector reads and deletes nothing; each probe compares again.",
      "Correct the key. If another store is intended, give it a location name of its own. If it"
          + " is still the same store, though most of its rows changed, stop the connector and set"
          + " the offset of each of its suspended streams to null."),
  UNKNOWN_STORE(
      "POS-204",
      "the store behind this key cannot be identified",
      "/whoami names neither a company nor a location, so the connector would not notice if the"
          + " key opened another store.",
      "Check that each location has its own key."),
  KEY_UNRESOLVED(
      "POS-205",
      "the key cannot be read from its provider",
      "The configuration provider failed when the connector read the key again. The connector"
          + " still uses the old key.",
      "Repair the provider."),
  PATH_UNKNOWN(
      "POS-206",
      "this path does not exist",
      "The service answers 404, 405 or 410.",
      "Correct base.url, or the resource's path or retrieval."),
  REQUEST_REFUSED(
      "POS-207",
      "the service does not accept the request",
      "The service answers 400, 413, 414, 422, 431 or another 4xx that has no entry of its own.",
      "For 400, 413, 414, 422 or 431, lower window.max.ms or the resource's page.size, or correct"
          + " the names of its parameters. For another status, contact the service's support."),
  ROWS_UNUSABLE(
      "POS-208",
      "the path does not answer with rows of this resource",
      "The answer is not a list of objects, or its rows lack the key fields.",
      "Correct the resource's path, retrieval or key.fields."),
  HOST_UNKNOWN(
      "POS-301",
      "the host is unknown",
      "The host's name cannot be resolved.",
      "Correct base.url or proxy.url. If the name is right, check the name servers of the worker:"
          + " the connector retries."),
  UNREACHABLE(
      "POS-302",
      "the service cannot be reached",
      "The connection is refused, reset or closed early, or cannot be opened in time.",
      "The connector retries; no action is needed. If it persists, check the network between the"
          + " worker and the service."),
  TOO_SLOW(
      "POS-303",
      "the service takes too long",
      "The headers or the rest of the body did not arrive in time, or the service answers 408,"
          + " 504 or 524.",
      "The connector retries; no action is needed. If it persists, raise request.timeout.ms or"
          + " stall.timeout.ms; if the service answers 408, 504 or 524, contact its support."),
  TLS_FAILED(
      "POS-304",
      "the TLS connection is not trusted",
      "The certificate is not trusted, has expired, or belongs to another host.",
      "Set ssl.truststore.location or ssl.keystore.location, or correct base.url. If the certificate"
          + " has expired, have it renewed: the connector retries."),
  PROXY_REFUSES(
      "POS-305",
      "the proxy refuses the request",
      "The proxy demands a user and password (407), or blocks the request.",
      "Allow this worker to pass without a user, or correct proxy.url."),
  REDIRECT_REFUSED(
      "POS-306",
      "the service redirects to a place where the key must not go",
      "A redirect leads to another host, to plain HTTP, nowhere, or in a circle, or its body has"
          + " 32 KB or more.",
      "Correct base.url, and check what stands between the worker and the service."),
  THROTTLED(
      "POS-401",
      "the limit of requests per minute is exceeded",
      "The service answers 429: another client uses the key, or the limit is lower than"
          + " configured.",
      "The connector slows down; no action is needed. If it persists, give the connector a key of"
          + " its own, or lower rate.limit.share."),
  SERVICE_FAILED(
      "POS-402",
      "the service failed",
      "The service answers 425 or 5xx.",
      "The connector retries; no action is needed. If it persists, contact the service's support."),
  BODY_MALFORMED(
      "POS-403",
      "the body does not hold the requested data",
      "The body is truncated, is not JSON in UTF-8 or has another shape, a row arrived damaged, or"
          + " the same page comes twice.",
      "The connector retries; no action is needed. If it persists, check base.url and what stands"
          + " between the worker and the service."),
  BODY_TOO_LARGE(
      "POS-404",
      "the body exceeds its limit",
      "The whole body is larger than the connector reads.",
      "Lower window.max.ms or the resource's page.size, or use a paged retrieval."),
  NO_SERVER_TIME(
      "POS-405",
      "the responses carry no readable time",
      "The responses have no readable Date header, so the watermark follows the worker's clock.",
      "Keep the worker's clock correct."),
  VALIDATION_SKIPPED(
      "POS-406",
      "a probe of the configuration gave no result",
      "The service was silent, slow or broken during validation. The configuration is accepted"
          + " nevertheless.",
      "No action is needed. To skip the probes, set validate.connection=false."),
  ROW_TOO_LARGE(
      "POS-407",
      "a row does not end within its limit",
      "A row has more than 32 MiB, or endless blanks stand between two rows. A row that only"
          + " exceeds row.max.bytes becomes a dead letter.",
      "Make the row smaller at the service, or remove the resource from resources."),
  PAGES_LEAD_NOWHERE(
      "POS-408",
      "the pages of a list do not advance",
      "A page brings no row that the pages before it lacked, more than a hundred pages and half of"
          + " all are empty, or a page names a next one that was already read: the service ignores"
          + " or repeats the requested page, or the list changes faster than it is read.",
      "The connector reads the list again from its beginning; no action is needed. If it"
          + " persists, correct the resource's retrieval, path, first.page or page.size."),
  TEXT_REPLACED(
      "POS-409",
      "some of the service's text is not UTF-8",
      "Bytes that are not UTF-8 became U+FFFD. The log has this line once; a metric counts the"
          + " bytes.",
      "Correct the text at the service."),
  ODD_SERVER_TIME(
      "POS-410",
      "a response carries a wrong time",
      "A Date header lies more than 30 minutes behind the worker's clock, and those before it agree"
          + " with that clock. It counts only if three responses in a row are so. The log has this"
          + " line once a stream.",
      "The connector goes by the other responses; no action is needed. If it persists, correct the"
          + " clock of the service, or of what answers in its place."),
  STALE_RESPONSE(
      "POS-411",
      "an answer is old",
      "The Date of a response lies more than lookback.ms, and more than two minutes, behind the"
          + " service's clock, so it comes from a cache or a replica that lags. It would revert"
          + " changes and delete new rows, so none of its rows is used.",
      "The connector retries; no action is needed. If it persists, exempt the connector's requests"
          + " from the cache, or raise the resource's lookback.ms above the age of its answers."),
  ROW_BROKEN(
      "POS-501",
      "a row cannot become an event",
      "A row is not an object, is too large, has no key, has a key of the wrong type or length,"
          + " or shares its key with another row.",
      "Correct the row at the service, or the resource's key.fields. The setting errors.rows"
          + " decides whether such a row becomes a dead letter."),
  DELETES_HELD(
      "POS-502",
      "too many keys vanished within an hour",
      "More than deletes.max.ratio of the keys vanished. The connector deletes nothing more until"
          + " a second read confirms it.",
      "If the rows were really removed, no action is needed: the second read confirms it. If this"
          + " is ordinary for the resource, raise deletes.max.ratio."),
  DELETES_UNVERIFIED(
      "POS-503",
      "keys vanished while the location cannot be identified",
      "/whoami fails, or gave another name just now, so the rows may belong to another store. The"
          + " connector holds their deletes until the location is identified.",
      "The connector asks again; no action is needed. If /whoami keeps failing, contact the"
          + " service's support."),
  DELETES_UNCERTAIN(
      "POS-504",
      "deletes wait for a row that cannot be read",
      "Keys vanished while the list holds a row whose key cannot be read, and which appeared when"
          + " the keys vanished or later. It may be one of them, so the connector holds their"
          + " deletes. A row that was unreadable before holds none.",
      "Correct the row at the service; the dead letters topic shows it. If a field of the row"
          + " changes at each read, add the field to the resource's ignore.fields."),
  CEILING_REACHED(
      "POS-601",
      "the digest is full",
      "A stream has more keys than digest.max.keys. A stream that is read by date ranges evicts"
          + " its oldest keys and goes on, unless reconcile.window.ms alone holds more; any other"
          + " stream is suspended.",
      "Raise digest.max.keys, lower reconcile.window.ms, or read fewer rows with a filtered"
          + " retrieval. A suspended stream then resumes by itself; one that goes on needs no"
          + " action."),
  DIGEST_LOST(
      "POS-602",
      "parts of the digest are lost",
      "Stored offsets were lost or damaged. The connector reads and emits every row once more. A row"
          + " that vanished meanwhile has no delete if only a lost part knew it.",
      "The connector repairs the rest by itself. Find out what wrote to the offsets topic, and look"
          + " with pos-tool audit for rows that vanished."),
  KEY_FIELDS_CHANGED(
      "POS-603",
      "the key fields changed",
      "Key fields, their types or the way they are hashed changed while rows with the old keys"
          + " are in the topic. The connector reads and deletes nothing.",
      "Restore the key fields, or give snapshot.id a new value: every row is then emitted again"
          + " under its new key, and the old keys remain."),
  OFFSET_REFUSED(
      "POS-604",
      "the offset cannot be changed in this way",
      "An offset belongs to no stream of this connector, or is neither a watermark alone nor part"
          + " of the whole memory of a stream.",
      "Set {\"stream\": \"<location>/<resource>\"} to {\"watermark\": \"<instant>\"} or to null, or"
          + " give all offsets of the stream that another connector has."),
  OFFSET_UNREADABLE(
      "POS-605",
      "the stored offset cannot be read",
      "A stored offset is damaged, or was written by hand.",
      "Stop the connector and set this offset to {\"watermark\": \"<instant>\"} to resume from"
          + " there, or to null to read everything again."),
  SNAPSHOT_BEGINS(
      "POS-606",
      "the connector reads and emits everything once more",
      "snapshot.id, the topic, path, retrieval or parameters, ignore.fields, include.fields,"
          + " exclude.fields, hash.fields or hash.salt changed, so the digest no longer describes the topic.",
      "No action is needed. Events of the new snapshot have op r."),
  KEYS_REPLACED(
      "POS-607",
      "every row is emitted under a new key",
      "Key fields or their types changed together with snapshot.id. The connector does not delete"
          + " the old keys.",
      "To remove the old keys, delete the records of the topic from before this snapshot, and what"
          + " consumers made of them."),
  CONTRACT_CHANGED(
      "POS-608",
      "the typed fields changed",
      "The schema or the fields of a resource changed. Published rows keep their old form in the"
          + " topic until they change.",
      "No action is needed. To emit every row once more in the new form, give snapshot.id a new"
          + " value."),
  SCALE_CHANGED(
      "POS-609",
      "the scale of a decimal changed",
      "A decimal that is in the topic now has another number of digits behind the point."
          + " Registries accept that, and consumers would misread every earlier value, so the"
          + " connector reads nothing.",
      "Restore the scale, or declare the field under another name with the service's name as an"
          + " alias, or publish the events to another topic."),
  OFFSET_NEWER(
      "POS-610",
      "a newer version wrote the stored offset",
      "An older archive replaced a newer one that stores offsets in another form. The connector"
          + " reads nothing and changes nothing that is stored.",
      "Install the newer version again on every worker. Or stop the connector and delete all of"
          + " its offsets: everything is then read and emitted once more."),
  START_KEPT(
      "POS-611",
      "start.from is earlier than what was read",
      "start.from was set to an earlier time after the stream began. The connector keeps the"
          + " beginning that its position has.",
      "To read the earlier rows too, give snapshot.id a new value. Otherwise no action is needed."),
  OFFSET_OLDER(
      "POS-612",
      "an earlier build wrote the stored offset",
      "A build from before 0.1.0 stored a digest, or a position, in a form that is read no longer.",
      "If everything is emitted once more, no action is needed. If the task fails, stop the"
          + " connector and set this offset to null: everything is then read and emitted once more."),
  MEMORY_REFUSED(
      "POS-613",
      "the memory of the stream does not belong here",
      "Offsets that were to be moved are not all that Connect has printed of one stream, or are"
          + " changed, mixed, of another stream, or of a stream with another topic, snapshot.id or"
          + " other settings. Nothing was stored.",
      "Stop the connector that has the memory, print its offsets again, take the stream out with"
          + " pos-tool offsets, and give the stream here the settings that it has there."),
  BASELINE_IGNORED(
      "POS-614",
      "snapshot.mode=baseline has no effect, since rows of the stream were emitted",
      "snapshot.mode=baseline was set for a stream that had begun, or a new snapshot.id has filled"
          + " the topic since.",
      "Remove snapshot.mode: audits take rows that are absent for rows of the baseline while it is"
          + " set."),
  STREAM_SUSPENDED(
      "POS-701",
      "the task fails because a stream is suspended",
      "errors.streams=fail is set, and the service refuses a stream or the stream cannot be read;"
          + " the message holds the reason.",
      "Correct the reason, then restart the task. Or set errors.streams=isolate."),
  ALL_SUSPENDED(
      "POS-702",
      "the task fails because all of its streams are suspended",
      "Every stream of the task has been suspended for errors.fail.after.ms.",
      "Correct the reasons, then restart the task."),
  CHECKPOINT_DROPPED(
      "POS-703",
      "a checkpoint was dropped",
      "A transform or errors.tolerance removed a record that carries the position or a part of the"
          + " digest: one of the checkpoints topic, or of the status topic during a baseline.",
      "Exempt the checkpoints topic, and the status topic, from the transform with a predicate."),
  METRICS_REFUSED(
      "POS-704",
      "the metrics cannot be registered",
      "The worker or JMX refuses the task's metrics, or something else in the worker holds their"
          + " names. The task goes on without metrics.",
      "Read in the exception what holds the names, then restart the task."),
  STOPPED_LATE(
      "POS-705",
      "the task did not stop in time",
      "A request or a write was still under way when the task was stopped.",
      "No action is needed. If it persists, restart the worker."),
  CONFIGURATION_UNREADABLE(
      "POS-801",
      "the file is not a connector configuration",
      "The command line tool cannot read the file as a configuration.",
      "Use the JSON that you would post to Connect, or a properties file."),
  REFERENCE_UNRESOLVED(
      "POS-802",
      "a reference cannot be resolved",
      "A setting refers to a secret that is not available here: the file, its entry or the"
          + " variable is missing, or only the worker has the provider.",
      "Run the tool where the worker runs, or refer to a variable: --set 'setting=${env:NAME}'.");

  private final String code;
  private final String summary;
  private final String cause;
  private final String remedy;

  Problem(String code, String summary, String cause, String remedy) {
    this.code = code;
    this.summary = summary;
    this.cause = cause;
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

  /** How it comes about, in sentences. */
  public String cause() {
    return cause;
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
