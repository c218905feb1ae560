/**
 * What a row costs on the way from the service to Kafka, in a real cluster, beside connectors that
 * do less. {@code docs/performance.md} explains what is measured.
 */
package io.posconnect.benchmark;
