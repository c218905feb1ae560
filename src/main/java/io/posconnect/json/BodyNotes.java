package io.posconnect.json;

import java.util.Set;

/**
 * What was noted of a body as far as it was read.
 *
 * @param bytes of it, decompressed
 * @param replaced bytes that were not UTF-8; rows hold U+FFFD in their place
 * @param unmetPaths the private paths that no row has; none of a resource without private fields
 * @param unlistedFields paths of fields that were removed since the list of those to keep lacks
 *     them
 */
public record BodyNotes(
    long bytes, long replaced, Set<String> unmetPaths, Set<String> unlistedFields) {}
