package io.posconnect.client;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKey;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/**
 * Reads certificates, and a PKCS #8 private key where there is one, from PEM text. Certificates
 * beside a key are that key's chain; without a key each of them is trusted.
 */
final class Pem {

  private static final Pattern BLOCK =
      Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----([^-]*)-----END \\1-----");

  private Pem() {}

  static KeyStore read(String text, String password) throws GeneralSecurityException, IOException {
    List<Certificate> certificates = new ArrayList<>();
    List<PrivateKey> keys = new ArrayList<>();
    CertificateFactory x509 = CertificateFactory.getInstance("X.509");
    Matcher block = BLOCK.matcher(text);
    while (block.find()) {
      byte[] content =
          Base64.getMimeDecoder().decode(block.group(2).getBytes(StandardCharsets.US_ASCII));
      switch (block.group(1)) {
        case "CERTIFICATE" ->
            certificates.add(x509.generateCertificate(new ByteArrayInputStream(content)));
        case "PRIVATE KEY" -> keys.add(privateKey(new PKCS8EncodedKeySpec(content)));
        case "ENCRYPTED PRIVATE KEY" -> keys.add(privateKey(decrypt(content, password)));
        default ->
            throw new InvalidKeySpecException(
                block.group(1) + " is not supported; convert the key to PKCS #8");
      }
    }
    return store(certificates, keys, password);
  }

  private static KeyStore store(
      List<Certificate> certificates, List<PrivateKey> keys, String password)
      throws GeneralSecurityException, IOException {
    KeyStore store = KeyStore.getInstance("PKCS12");
    store.load(null, null);
    if (keys.isEmpty()) {
      for (int i = 0; i < certificates.size(); i++) {
        store.setCertificateEntry("certificate-" + i, certificates.get(i));
      }
    } else {
      store.setKeyEntry(
          "key", keys.get(0), password.toCharArray(), certificates.toArray(Certificate[]::new));
    }
    return store;
  }

  private static PKCS8EncodedKeySpec decrypt(byte[] content, String password)
      throws GeneralSecurityException, IOException {
    EncryptedPrivateKeyInfo info = new EncryptedPrivateKeyInfo(content);
    // The parameters of PBES2 name the scheme; its own name is only the family's.
    String scheme =
        info.getAlgName().equals("PBES2") ? info.getAlgParameters().toString() : info.getAlgName();
    SecretKey key =
        SecretKeyFactory.getInstance(scheme).generateSecret(new PBEKeySpec(password.toCharArray()));
    Cipher cipher = Cipher.getInstance(scheme);
    cipher.init(Cipher.DECRYPT_MODE, key, info.getAlgParameters());
    return info.getKeySpec(cipher);
  }

  private static PrivateKey privateKey(PKCS8EncodedKeySpec spec) throws GeneralSecurityException {
    InvalidKeySpecException refusal =
        new InvalidKeySpecException("the private key is neither RSA nor EC nor EdDSA");
    for (String algorithm : List.of("RSA", "EC", "EdDSA")) {
      try {
        return KeyFactory.getInstance(algorithm).generatePrivate(spec);
      } catch (InvalidKeySpecException e) {
        refusal.addSuppressed(e);
      }
    }
    throw refusal;
  }
}
