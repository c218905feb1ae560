/** The validation room. */
@NullMarked
package io.posconnect.validation;

import org.jspecify.annotations.NullMarked;
