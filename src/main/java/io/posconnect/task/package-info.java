/**
 * Puts a task together and runs it: which streams it owns, where each of them goes on, and the
 * threads that read them until the worker stops the task.
 *
 * <p>This room knows all others but {@code validation}, and none but the root knows it: a
 * collaborator is made here and handed on, so that every other room can be tested with another one.
 *
 * <p><b>Starting makes no request.</b> Connect would not try again if a start failed; so what the
 * service or a key is like shows in the streams, each by itself.
 *
 * <p><b>Other keys.</b> What is remembered is of no use to a stream whose keys are made of other
 * fields, or of fields of other types: every old key would look deleted, under a key that it never
 * had. Such a stream is refused from the start, until a new snapshot's id confirms the change.
 */
@NullMarked
package io.posconnect.task;

import org.jspecify.annotations.NullMarked;
