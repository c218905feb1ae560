/** The location room. */
@NullMarked
package io.posconnect.location;

import org.jspecify.annotations.NullMarked;
