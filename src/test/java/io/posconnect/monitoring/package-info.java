/**
 * Holds what {@code config/monitoring} gives to operators true: what rules and panels name exists,
 * every alert has a paragraph and tests, and alerts fire and resolve on a real cluster.
 */
@NullMarked
package io.posconnect.monitoring;

import org.jspecify.annotations.NullMarked;
