/**
 * Checks the README and the pages under {@code docs/}: generated pages equal the code, named files,
 * classes and codes exist, and every command runs here or has the reason why not.
 */
@NullMarked
package io.posconnect.docs;

import org.jspecify.annotations.NullMarked;
