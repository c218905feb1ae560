package io.posconnect.problem;

/**
 * Names everything that can go wrong and that a person has to know of: the one catalog of codes,
 * causes and remedies. Log lines, exceptions, errors of the REST API and the status of a task begin
 * with the code; {@code docs/errors.md} is generated from this list.
 *
 * <p>The codes are public: one that was released keeps its meaning for ever and is never used
 * again. The first digit tells where to look: 1 the configuration, 2 the key and what it may read,
 * 3 the way to the service, 4 what the service answers, 5 rows, 6 position and digest, 7 the
 * worker, 8 the command line tool.
 *
 * <p>Neither keys nor bodies may be part of what is told; whoever fills in {@code what} sees to it.
 */
public enum Problem {
  INVALID_VALUE(
      "POS-101",
      "the value has the wrong form or is out of bounds",
      "A setting was given a value that it cannot take.",
      "give a value of the form that the message names"),
  UNKNOWN_SETTING(
      "POS-102",
      "there is no such setting",
      "A name under resources. or locations. is misspelt.",
      "correct or remove it"),
  UNKNOWN_NAME(
      "POS-103",
      "nothing of that name is listed or described",
      "A setting names a location or resource that no other setting lists or describes.",
      "correct the name, or list and describe what it names"),
  MISSING_SETTING(
      "POS-104", "a setting is missing", "A setting that is needed has no value.", "set it"),
  CONTRADICTION(
      "POS-105",
      "settings contradict each other",
      "Two settings exclude each other, or one would never be read.",
      "remove or change one of them"),
  UNENCRYPTED(
      "POS-106",
      "the key would travel unencrypted",
      "Plain HTTP goes beyond the loopback interface, or to a proxy.",
      "use https, or set allow.http=true"),
  UNSENDABLE_KEY(
      "POS-107",
      "the key cannot be sent",
      "A key holds a colon, begins or ends with white space, or a key or password holds a control"
          + " character.",
      "copy it again"),
  SAME_LOCATION(
      "POS-108",
      "two locations are one store",
      "Two locations have the same key at the same address.",
      "give each location its own key, or remove one"),
  TOPIC_NAME(
      "POS-109",
      "the topic's name is illegal or taken",
      "topic.prefix, topic.template and the names of the other topics do not give legal, distinct"
          + " names, or one of them is that of a topic of Kafka, Connect or a registry.",
      "choose other names"),
  UNREADABLE_FILE(
      "POS-110",
      "a file cannot be used on this worker",
      "A schema, trust store or key store is missing or unreadable, or its type or password is"
          + " wrong.",
      "put the file on every worker, and correct its settings"),
  UNUSABLE_SCHEMA(
      "POS-111",
      "no records can be made of the schema and the key fields",
      "The declared Avro schema and the key fields do not fit together.",
      "correct the schema or the key fields as the message says"),
  WRONG_ADDRESS(
      "POS-112",
      "nobody answers at the address, or somebody else",
      "The configuration was tried, and what answered was not the service. The worker's log tells"
          + " what came instead; whoever posts a configuration is not told.",
      "correct it, or proxy.url or the ssl. settings, as the worker's log suggests; or set"
          + " validate.connection=false if the service is only down for now"),
  WRONG_RETRIEVAL(
      "POS-113",
      "the path does not answer as the retrieval expects",
      "The configuration was tried: the service refused the request, or answered in another shape.",
      "correct the retrieval, or the names of its parameters"),
  WRONG_SNAPSHOT(
      "POS-114",
      "the pages of a snapshot are not where they should be",
      "The configuration was tried, and no numbered pages were found for snapshot=pages.",
      "set it to list, or correct snapshot.path beside it"),
  KEY_REFUSED(
      "POS-201",
      "the key is unknown or revoked",
      "The service answers 401: the key, or its password, is not what it expects.",
      "correct the key, or rotate it in its provider: the stream then goes on by itself"),
  PERMISSION_MISSING(
      "POS-202",
      "the key lacks the permission for this path",
      "The service answers 403: the key lacks Inventory, Customer or Reporting.",
      "have the permission granted, or take the resource out of resources"),
  OTHER_STORE(
      "POS-203",
      "the key opens another store than the one that was read before",
      "/whoami names another store than the offsets remember, and its rows are not those of before."
          + " Nothing is read or deleted.",
      "correct the key; if it is meant to be another store, give that store a location name of its"
          + " own; if it is the same store all the same, set the offset of each of its streams to"
          + " null"),
  UNKNOWN_STORE(
      "POS-204",
      "nobody can tell whose key this is",
      "/whoami names neither company nor location, so another store behind the key would not be"
          + " noticed.",
      "take care not to mix up keys"),
  KEY_UNRESOLVED(
      "POS-205",
      "the key cannot be read again",
      "The configuration provider failed when it was asked for a new key. The old key stays in"
          + " use.",
      "mend the provider"),
  PATH_UNKNOWN(
      "POS-206",
      "there is no such path",
      "The service answers 404, 405 or 410.",
      "correct base.url, or the resource's path or retrieval"),
  REQUEST_REFUSED(
      "POS-207",
      "the service does not accept the request",
      "The service answers 400, 413, 414, 422, 431 or another 4xx that has no entry of its own.",
      "lower window.max.ms or the resource's page.size, or correct the names of its parameters"),
  ROWS_UNUSABLE(
      "POS-208",
      "the path does not answer with rows of this resource",
      "The answer is no list of objects, or its rows lack the key fields.",
      "correct the resource's path, retrieval or key.fields"),
  HOST_UNKNOWN(
      "POS-301",
      "the host is unknown",
      "The name of the host cannot be resolved.",
      "correct base.url or proxy.url"),
  UNREACHABLE(
      "POS-302",
      "the service cannot be reached",
      "The connection is refused, reset or broken off, or does not come about in time.",
      "nothing, it is tried again; if it lasts, check the network between worker and service"),
  TOO_SLOW(
      "POS-303",
      "the service takes too long",
      "No headers or no more of the body came in time, or the service answers 408, 504 or 524.",
      "nothing, it is tried again; if it lasts, raise request.timeout.ms or stall.timeout.ms"),
  TLS_FAILED(
      "POS-304",
      "no trusted TLS connection",
      "The certificate is not trusted, or it is another host's.",
      "set ssl.truststore.location or ssl.keystore.location, or correct base.url"),
  PROXY_REFUSES(
      "POS-305",
      "the proxy refuses",
      "The proxy wants a user and password (407), or does not let the request pass.",
      "let this worker pass without a user, or correct proxy.url"),
  REDIRECT_REFUSED(
      "POS-306",
      "the service redirects to where the key must not go",
      "A redirect leads to another host, to plain HTTP, nowhere, or round in circles.",
      "correct base.url, and check what stands between worker and service"),
  THROTTLED(
      "POS-401",
      "the limit of requests per minute is exceeded",
      "The service answers 429: another client uses the key, or the limit is lower than"
          + " configured.",
      "nothing, the connector slows down; or lower rate.limit.share"),
  SERVICE_FAILED(
      "POS-402",
      "the service failed",
      "The service answers 425 or 5xx.",
      "nothing, it is tried again; if it lasts, tell the service's support"),
  BODY_MALFORMED(
      "POS-403",
      "the body is not the data that were asked for",
      "The body is truncated, no JSON in UTF-8, of another shape, or a page comes twice.",
      "nothing, it is tried again; if it lasts, check base.url and what stands between worker and"
          + " service"),
  BODY_TOO_LARGE(
      "POS-404",
      "the body exceeds its limit",
      "The whole body is larger than the connector reads.",
      "lower window.max.ms or the resource's page.size, or use a paged retrieval"),
  ROW_TOO_LARGE(
      "POS-407",
      "a row has no end within its limit",
      "A row of more than 32 MiB, or endless blanks between two rows. A row that is only larger"
          + " than row.max.bytes becomes a dead letter.",
      "make the row smaller at the service, or take the resource out of resources"),
  NO_SERVER_TIME(
      "POS-405",
      "the service does not tell the time",
      "Responses have no readable Date header, so the watermark follows the worker's clock.",
      "keep the worker's clock right"),
  VALIDATION_SKIPPED(
      "POS-406",
      "a probe of the configuration told nothing",
      "The service was silent, slow or broken while the configuration was tried; it is accepted"
          + " nevertheless.",
      "nothing; to skip the probes, set validate.connection=false"),
  PAGES_LEAD_NOWHERE(
      "POS-408",
      "the pages of a list lead nowhere",
      "A page brings no row that the pages before it had not, or names a next page that was read:"
          + " the service ignores or repeats the page that it is asked for, or the list moves"
          + " faster than it is read.",
      "nothing, the list is read again from its beginning; if it lasts, correct the resource's"
          + " retrieval, path, first.page or page.size"),
  TEXT_REPLACED(
      "POS-409",
      "some of what the service sends is not UTF-8",
      "Bytes that are not UTF-8, or half a surrogate pair in a field's name, became U+FFFD. Told"
          + " once; a metric counts them.",
      "correct the text at the service"),
  ROW_BROKEN(
      "POS-501",
      "a row cannot become an event",
      "A row is no object, has no key, a key of the wrong type or length, or another row's key, or"
          + " it is too large.",
      "correct the row at the service, or the resource's key.fields; errors.rows says what becomes"
          + " of it"),
  DELETES_HELD(
      "POS-502",
      "too many keys vanished within an hour",
      "More than deletes.max.ratio of the keys are gone; no more are deleted before a second read"
          + " confirms it.",
      "nothing, or raise deletes.max.ratio"),
  DELETES_UNVERIFIED(
      "POS-503",
      "keys vanished, and the location does not say who it is",
      "/whoami fails, or gives another name than before, so the rows may be another store's. They are"
          + " read all the same; deletes wait until the location has said who it is.",
      "let the API key read /whoami; if it fails, tell the service's support"),
  CEILING_REACHED(
      "POS-601",
      "there are more keys than the digest can hold",
      "A stream has more keys than digest.max.keys.",
      "raise digest.max.keys"),
  DIGEST_LOST(
      "POS-602",
      "parts of the digest are lost",
      "Offsets were lost or damaged. Every row is read and emitted once more.",
      "nothing; find out who wrote to the offsets topic"),
  KEY_FIELDS_CHANGED(
      "POS-603",
      "keys are made of other fields than before",
      "Key fields, their types or the way they are hashed were changed under rows that stand in the topic."
          + " Nothing is read or deleted.",
      "put them back, or give snapshot.id a new value to have every row emitted again under its new key,"
          + " beside the old ones"),
  KEYS_REPLACED(
      "POS-607",
      "every row is emitted under a new key",
      "Key fields or their types were changed together with snapshot.id. Nothing deletes the old"
          + " keys.",
      "to be rid of the old keys, delete the records of the topic from before this snapshot, and"
          + " what consumers made of them"),
  OFFSET_REFUSED(
      "POS-604",
      "the offset cannot be altered so",
      "An offset is of no stream of this connector, or holds more than a watermark.",
      "alter {\"stream\": \"<location>/<resource>\"} to {\"watermark\": \"<instant>\"} or null"),
  OFFSET_UNREADABLE(
      "POS-605",
      "the stored offset cannot be read",
      "A stored offset is damaged, or was written by hand.",
      "stop the connector and set this offset to {\"watermark\": \"<instant>\"}, to go on from there, or to"
          + " null, to read everything again"),
  SNAPSHOT_BEGINS(
      "POS-606",
      "everything is read and emitted once more",
      "Another snapshot.id, topic, path or retrieval, other ignore.fields, exclude.fields or hash.fields,"
          + " or another hash.salt: what was said before is not what has to be"
          + " known now.",
      "nothing; events of the new snapshot have op r"),
  CONTRACT_CHANGED(
      "POS-608",
      "other fields are typed than before",
      "The schema or the fields of a resource were changed. Rows that were told before stay in the"
          + " topic as they are until they change.",
      "nothing; or give snapshot.id a new value to have every row emitted once more in the new"
          + " form"),
  SCALE_CHANGED(
      "POS-609",
      "a decimal has another scale than before",
      "A decimal that stands in the topic was declared with another number of digits behind the"
          + " point. Registries let that pass, and readers would misread every value of before."
          + " Nothing is read.",
      "put the scale back; or declare the field under another name with the service's name as an"
          + " alias; or have the events written to another topic"),
  OFFSET_NEWER(
      "POS-610",
      "the stored offset is of a newer version",
      "An older archive was put in the place of a newer one that stores offsets in another form. Nothing is read,"
          + " and nothing that is stored is changed.",
      "install the newer version again on every worker; or stop the connector and delete all of its offsets, to"
          + " have everything read and emitted once more"),
  STREAM_SUSPENDED(
      "POS-701",
      "the task fails, since one of its streams is suspended",
      "errors.streams=fail, and the service refuses a stream, or the stream cannot be read; the"
          + " message holds the reason.",
      "mend the reason, then restart the task; or set errors.streams=isolate"),
  ALL_SUSPENDED(
      "POS-702",
      "the task fails, since it has nothing left to read",
      "Every stream of the task has been suspended for errors.fail.after.ms.",
      "mend the reasons, then restart the task"),
  CHECKPOINT_DROPPED(
      "POS-703",
      "a checkpoint was dropped",
      "A transform or errors.tolerance removed a record of the checkpoints topic, which carries the"
          + " position.",
      "exempt the checkpoints topic from the transform with a predicate"),
  METRICS_REFUSED(
      "POS-704",
      "the metrics cannot be shown",
      "JMX refuses the task's metrics, or something else in the worker holds their names and keeps"
          + " them. Data flow all the same.",
      "see the exception for who stands in the way, then restart the task"),
  STOPPED_LATE(
      "POS-705",
      "the task did not end in time",
      "Something was still under way when the task was stopped.",
      "nothing; if it lasts, restart the worker"),
  CONFIGURATION_UNREADABLE(
      "POS-801",
      "the file is no configuration of a connector",
      "The command line tool was given a file that it cannot read.",
      "give the JSON that is posted to Connect, or properties"),
  REFERENCE_UNRESOLVED(
      "POS-802",
      "a reference leads nowhere",
      "A setting refers to a secret that is not here: the file, its entry or the variable is missing, or only the"
          + " worker knows the provider.",
      "run the tool where the worker runs, or give the value as a reference to a variable:"
          + " --set 'setting=${env:NAME}'");

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

  /** What is wrong, in a clause that begins small. */
  public String summary() {
    return summary;
  }

  /** How it comes about, in sentences. */
  public String cause() {
    return cause;
  }

  /** What a person does about it, in a clause that begins small. */
  public String remedy() {
    return remedy;
  }

  /**
   * The line to be shown: code, subject, summary, remedy.
   *
   * @param subject what it happened to, such as {@code airport/customers: GET /customer/customers
   *     401}
   */
  public String at(String subject) {
    return at(subject, summary);
  }

  /**
   * The line to be shown where more is known than the summary says.
   *
   * @param detail what is wrong in this case, in a clause that begins small
   */
  public String at(String subject, String detail) {
    return incident(subject, detail).toString();
  }

  /** This problem, as it happened to that subject. */
  public Incident incident(String subject) {
    return incident(subject, summary);
  }

  /** This problem, as it happened to that subject, where more is known than the summary says. */
  public Incident incident(String subject, String detail) {
    return new Incident(this, subject, detail);
  }

  /** The code with which such a line begins; empty of another text. */
  public static String codeOf(String line) {
    return line.startsWith("POS-") ? line.substring(0, line.indexOf(' ')) : "";
  }
}
