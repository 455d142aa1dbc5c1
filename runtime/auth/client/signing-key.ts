import { OAuthError } from "./errors.js";

const ALGORITHMS: Readonly<Record<string, EcKeyImportParams | RsaHashedImportParams | Algorithm>> =
  {
    ES256: { name: "ECDSA", namedCurve: "P-256" },
    ES384: { name: "ECDSA", namedCurve: "P-384" },
    ES512: { name: "ECDSA", namedCurve: "P-521" },
    RS256: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" },
    RS384: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-384" },
    RS512: { name: "RSASSA-PKCS1-v1_5", hash: "SHA-512" },
    PS256: { name: "RSA-PSS", hash: "SHA-256" },
    PS384: { name: "RSA-PSS", hash: "SHA-384" },
    PS512: { name: "RSA-PSS", hash: "SHA-512" },
    EdDSA: { name: "Ed25519" },
    Ed25519: { name: "Ed25519" },
  };

/**
 * A key that signs.
 * @param key - PKCS #8 in PEM, or the key itself
 * @throws OAuthError that does not quote the key
 */
export async function signingKey(key: string | CryptoKey, algorithm = "ES256"): Promise<CryptoKey> {
  if (typeof key !== "string") return key;
  const parameters = Object.hasOwn(ALGORITHMS, algorithm) ? ALGORITHMS[algorithm] : undefined;
  const [, text] = /-----BEGIN PRIVATE KEY-----([^-]+)-----END PRIVATE KEY-----/.exec(key) ?? [];
  if (parameters !== undefined && text !== undefined) {
    try {
      const bytes = Uint8Array.from(atob(text.replace(/\s/g, "")), (one) => one.charCodeAt(0));
      return await crypto.subtle.importKey("pkcs8", bytes, parameters, false, ["sign"]);
    } catch {
      // The platform's error may quote the key.
    }
  }
  const names = Object.keys(ALGORITHMS).join(", ");
  throw new OAuthError("token", `The option "client.key" cannot be read for ${algorithm}`, {
    expected: `PKCS #8 in PEM ("BEGIN PRIVATE KEY") that fits "client.algorithm", which is one of ${names}`,
  });
}
