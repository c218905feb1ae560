/**
 * A source connector that does what a connector over HTTP must do and no more: the measure for
 * ours. A worker loads it as a plugin of its own, so it uses nothing of ours.
 */
package io.posconnect.benchmark.reference;
