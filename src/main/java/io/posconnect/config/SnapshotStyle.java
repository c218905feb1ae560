package io.posconnect.config;

/** How everything is read of a resource that is otherwise read by modification time. */
enum SnapshotStyle {
  LIST("list"),
  PAGES("pages");

  private final String spelling;

  SnapshotStyle(String spelling) {
    this.spelling = spelling;
  }

  String spelling() {
    return spelling;
  }
}
