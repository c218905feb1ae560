/**
 * Lists everything that can go wrong: {@link io.posconnect.problem.Problem} is the catalog of
 * codes, summaries and remedies. This room imports no other, and every room may import it.
 */
@NullMarked
package io.posconnect.problem;

import org.jspecify.annotations.NullMarked;
