/**
 * The command line: what a person asks before a connector runs, and what consumers ask for once it
 * does.
 *
 * <p>It is packaged in a jar of its own, beside the component archive and never in it. It may
 * import whatever it needs, and nobody imports it. What it says about a configuration, a row or a
 * schema is asked of the very classes that the connector uses, so that neither can be right alone.
 *
 * <p>Three laws. It never shows a secret: values of the service are masked, and a known secret that
 * would be printed all the same is taken out of the line. It never holds a list: rows are looked at
 * one by one, and of each no more is kept than counts. It asks the service as sparingly as the
 * connector does, within the same limits, and stops at the number of requests it was given.
 */
@NullMarked
package io.posconnect.tool;

import org.jspecify.annotations.NullMarked;
