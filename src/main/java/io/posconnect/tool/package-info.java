/**
 * The command line: it checks a configuration, discovers what the service sends, and lists the
 * schemas that consumers will get, before a connector runs; and it compares the topics with the
 * service while one runs.
 *
 * <p>It is packaged in a jar of its own, beside the component archive and never in it. It may
 * import any room, and no room imports it. It uses the connector's own classes for configurations,
 * rows and schemas, so its results are the connector's.
 *
 * <p>Three laws. It never shows a secret: it masks the values of rows, and hides every known secret
 * in what it prints. It never holds a list: it profiles or compares rows one by one, and keeps
 * counts, keys, hashes of contents, and a few rows. It keeps the service's limits as the connector
 * does, and sends no more requests than its options allow.
 */
@NullMarked
package io.posconnect.tool;

import org.jspecify.annotations.NullMarked;
