/**
 * Holds the README and the pages under {@code docs/} true: what is generated is as the code says,
 * what is named exists, and every command either runs here or says why not.
 */
@NullMarked
package io.posconnect.docs;

import org.jspecify.annotations.NullMarked;
