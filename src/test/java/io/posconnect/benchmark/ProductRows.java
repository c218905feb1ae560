package io.posconnect.benchmark;

import io.posconnect.Io;
import io.posconnect.benchmark.Plan.ProductList;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/** Products of 30 fields and about 970 bytes; the same number gives the same row. */
public final class ProductRows {

  /** The number of rows of a list that is small enough to be held. */
  public static final int SAMPLE = 10_000;

  /** The type of each field, as the setting {@code resources.products.fields} spells it. */
  static final String FIELDS =
      "productId:long,name:string,price:decimal(2),cost:decimal(2),sku:string,barcode:string,"
          + "description:string,departmentId:int,departmentName:string,categoryId:int,"
          + "categoryName:string,supplierId:long,supplierName:string,taxRate:double,"
          + "taxable:boolean,discountable:boolean,weighed:boolean,active:boolean,"
          + "unitName:string,packSize:int,reorderPoint:int,reorderQuantity:int,minimumAge:int,"
          + "color:string,sizeName:string,imageUrl:string,createdUtc:timestamp,"
          + "modifiedUtc:timestamp,revision:int,notes:string";

  private static final String[] WORDS =
      ("alder amber apple barley basil birch bread butter candle cedar cherry cinnamon citrus clover"
              + " cocoa copper coral cotton crystal dried fennel garden ginger glass golden grain"
              + " harvest hazel honey indigo ivory juniper lavender lemon linen maple marble meadow"
              + " mint mustard nutmeg oak olive orange organic paper pepper plum quartz river"
              + " roasted rose saffron sage silver smoked spring stone summer thyme velvet walnut"
              + " wild willow winter")
          .split(" ");

  private static final Instant OPENED = Instant.parse("2021-03-01T08:00:00Z");

  private ProductRows() {}

  static void write(Path file, ProductList list) {
    int rows = list.rows();
    int[] ids = IntStream.rangeClosed(1, rows).toArray();
    if (list.shuffled()) {
      shuffle(ids);
    }
    try (OutputStream out = Files.newOutputStream(file)) {
      write(out, ids);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** A list of that many rows, in order. */
  public static byte[] list(int rows) {
    ByteArrayOutputStream list = new ByteArrayOutputStream();
    Io.take(() -> write(list, IntStream.rangeClosed(1, rows).toArray()));
    return list.toByteArray();
  }

  private static void write(OutputStream out, int[] ids) throws IOException {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < ids.length; i++) {
      row(text, ids[i]);
      text.append(i == ids.length - 1 ? "]" : ",");
      if (text.length() > 1 << 16 || i == ids.length - 1) {
        out.write(text.toString().getBytes(StandardCharsets.US_ASCII));
        text.setLength(0);
      }
    }
  }

  private static void shuffle(int[] ids) {
    Random random = new Random(1);
    for (int i = ids.length - 1; i > 0; i--) {
      int other = random.nextInt(i + 1);
      int id = ids[i];
      ids[i] = ids[other];
      ids[other] = id;
    }
  }

  private static void row(StringBuilder text, int id) {
    SplittableRandom random = new SplittableRandom(id);
    text.append("{\"productId\":").append(id);
    words(text, "name", random, 4);
    money(text, "price", random);
    money(text, "cost", random);
    text.append(",\"sku\":\"SKU-").append(random.nextInt(100_000, 999_999)).append('"');
    text.append(",\"barcode\":\"").append(random.nextLong(1_000_000_000_000L, 9_000_000_000_000L));
    text.append('"');
    words(text, "description", random, 16);
    number(text, "departmentId", random, 40);
    words(text, "departmentName", random, 2);
    number(text, "categoryId", random, 400);
    words(text, "categoryName", random, 2);
    number(text, "supplierId", random, 90_000);
    words(text, "supplierName", random, 3);
    text.append(",\"taxRate\":").append(random.nextInt(20) / 100.0);
    for (String name : new String[] {"taxable", "discountable", "weighed", "active"}) {
      text.append(",\"").append(name).append("\":").append(random.nextBoolean());
    }
    words(text, "unitName", random, 1);
    number(text, "packSize", random, 24);
    number(text, "reorderPoint", random, 50);
    number(text, "reorderQuantity", random, 500);
    number(text, "minimumAge", random, 21);
    words(text, "color", random, 1);
    words(text, "sizeName", random, 1);
    text.append(",\"imageUrl\":\"https://images.example/products/")
        .append(id)
        .append("/large.jpg\"");
    time(text, "createdUtc", random);
    time(text, "modifiedUtc", random);
    number(text, "revision", random, 30);
    words(text, "notes", random, 12);
    text.append('}');
  }

  private static void words(StringBuilder text, String name, SplittableRandom random, int count) {
    text.append(",\"").append(name).append("\":\"");
    for (int i = 0; i < count; i++) {
      text.append(i == 0 ? "" : " ").append(WORDS[random.nextInt(WORDS.length)]);
    }
    text.append('"');
  }

  private static void number(StringBuilder text, String name, SplittableRandom random, int bound) {
    text.append(",\"").append(name).append("\":").append(random.nextInt(bound));
  }

  private static void money(StringBuilder text, String name, SplittableRandom random) {
    int cents = random.nextInt(10_000, 99_999);
    text.append(",\"").append(name).append("\":").append(cents / 100).append('.');
    text.append((char) ('0' + cents / 10 % 10)).append((char) ('0' + cents % 10));
  }

  private static void time(StringBuilder text, String name, SplittableRandom random) {
    text.append(",\"").append(name).append("\":\"");
    text.append(OPENED.plusSeconds(random.nextInt(100_000_000))).append('"');
  }
}
