import { fromBase64Url, toBase64Url } from "../../../ground/index.js";

const ALGORITHM = "AES-GCM";
/** The version of the sealed format, `<version>.<id of the key>.<iv and ciphertext>`. */
const VERSION = "1";
const KEY_BYTES = 32;
const IV_BYTES = 12;
const KEY_ID_BYTES = 6;

interface Key {
  readonly id: string;
  readonly key: CryptoKey;
}

/**
 * Encrypts strings that a client carries but can neither read nor change (AES-256-GCM). Each string is bound to a
 * context, without which it cannot be opened.
 */
export interface Seal {
  seal(text: string, context: string): Promise<string>;
  /** Decrypts a string. Returns undefined unless it was sealed for this context with one of the keys. */
  open(sealed: string, context: string): Promise<string | undefined>;
}

/**
 * Creates a seal.
 *
 * @param secrets - keys of 32 bytes each; the first one seals, all of them open. Default: a random key
 */
export function sealOf(secrets: readonly Uint8Array[] = [randomBytes(KEY_BYTES)]): Seal {
  const copies = secrets.map((secret) => new Uint8Array(secret));
  let keys: Promise<readonly Key[]> | undefined;
  const whenImported = (): Promise<readonly Key[]> => (keys ??= Promise.all(copies.map(imported)));
  return {
    async seal(text, context) {
      const [{ id, key }] = (await whenImported()) as [Key];
      const iv = randomBytes(IV_BYTES);
      const sealed = await crypto.subtle.encrypt(
        parametersOf(iv, id, context),
        key,
        new TextEncoder().encode(text),
      );
      const bytes = new Uint8Array(iv.length + sealed.byteLength);
      bytes.set(iv);
      bytes.set(new Uint8Array(sealed), iv.length);
      return `${VERSION}.${id}.${toBase64Url(bytes)}`;
    },
    async open(sealed, context) {
      const [version, id, encoded = "", ...rest] = sealed.split(".");
      const bytes = fromBase64Url(encoded);
      if (version !== VERSION || rest.length > 0 || bytes === undefined) return undefined;
      const found = (await whenImported()).find((one) => one.id === id);
      if (found === undefined) return undefined;
      const iv = bytes.subarray(0, IV_BYTES);
      try {
        const parameters = parametersOf(iv, found.id, context);
        const text = await crypto.subtle.decrypt(parameters, found.key, bytes.subarray(IV_BYTES));
        return new TextDecoder().decode(text);
      } catch {
        return undefined;
      }
    },
  };
}

export function randomBytes(length: number): Uint8Array<ArrayBuffer> {
  return crypto.getRandomValues(new Uint8Array(length));
}

async function imported(secret: Uint8Array<ArrayBuffer>): Promise<Key> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", secret));
  const key = await crypto.subtle.importKey("raw", secret, ALGORITHM, false, [
    "encrypt",
    "decrypt",
  ]);
  return { id: toBase64Url(digest.subarray(0, KEY_ID_BYTES)), key };
}

function parametersOf(iv: Uint8Array<ArrayBuffer>, id: string, context: string): AesGcmParams {
  const additionalData = new TextEncoder().encode(`${VERSION}.${id}.${context}`);
  return { name: ALGORITHM, iv, additionalData };
}
