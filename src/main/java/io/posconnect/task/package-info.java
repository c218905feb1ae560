/** The task room. */
@NullMarked
package io.posconnect.task;

import org.jspecify.annotations.NullMarked;
