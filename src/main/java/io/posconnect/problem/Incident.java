package io.posconnect.problem;

/**
 * Something that went wrong: an entry of the catalog, what it happened to, and what is wrong in
 * this case. It stays this value until a person reads it; {@link #toString} is the line that is
 * shown.
 *
 * @param subject what it happened to, such as {@code airport/customers: GET /customer/customers
 *     401}
 * @param detail what is wrong, in a clause that begins with a small letter; neither a key nor a
 *     body
 */
public record Incident(Problem problem, String subject, String detail) {

  /** Such as {@code POS-201}. */
  public String code() {
    return problem.code();
  }

  /** The line without its code and remedy, for a caller that has a better remedy. */
  public String observed() {
    return subject + ": " + detail;
  }

  /**
   * The line for a person, in sentences: {@code POS-402 airport/products: GET /products 503: the
   * service failed. The connector retries; no action is needed.}
   */
  @Override
  public String toString() {
    String end = detail.endsWith(".") ? " " : ". ";
    return problem.code() + " " + observed() + end + problem.remedy();
  }
}
