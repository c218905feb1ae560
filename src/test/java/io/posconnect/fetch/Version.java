package io.posconnect.fetch;

/**
 * What one key was at one time.
 *
 * @param key index of the key
 * @param number counts the key's versions, deletions included, from 1
 * @param content what the row says; null when it is gone
 * @param modified server time by which the service filters it, in milliseconds
 * @param visible server time from which reads show it; not before {@code modified}
 */
record Version(int key, int number, String content, long modified, long visible) {

  static Version none(int key) {
    return new Version(key, 0, null, 0, 0);
  }

  boolean exists() {
    return content != null;
  }

  boolean says(Version other) {
    return exists() ? content.equals(other.content) : !other.exists();
  }

  @Override
  public String toString() {
    return "k" + key + "v" + number + (exists() ? "=" + content : " gone") + "@" + modified;
  }
}
