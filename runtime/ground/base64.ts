/** The number of bytes converted by each call, because the number of arguments in a call is limited. */
const CHUNK = 8192;

interface NativeBytes {
  toBase64(options?: { readonly alphabet: "base64url"; readonly omitPadding: true }): string;
}

const isNative = /* @__PURE__ */ hasNativeMethods();

function hasNativeMethods(): boolean {
  return "toBase64" in Uint8Array.prototype;
}

/** Encodes bytes as base64 (RFC 4648, section 4). */
export const toBase64: (bytes: Uint8Array) => string = isNative
  ? (bytes) => (bytes as unknown as NativeBytes).toBase64()
  : (bytes) => {
      let binary = "";
      for (let start = 0; start < bytes.length; start += CHUNK) {
        binary += String.fromCharCode(...bytes.subarray(start, start + CHUNK));
      }
      return btoa(binary);
    };

/** Encodes bytes as base64url without padding (RFC 4648, section 5). */
export const toBase64Url: (bytes: Uint8Array) => string = isNative
  ? (bytes) =>
      (bytes as unknown as NativeBytes).toBase64({ alphabet: "base64url", omitPadding: true })
  : (bytes) => toBase64(bytes).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/**
 * Decodes base64url. Returns undefined unless the text is exactly what {@link toBase64Url} returns for the decoded
 * bytes.
 */
export function fromBase64Url(text: string): Uint8Array<ArrayBuffer> | undefined {
  if (/[^\w-]/.test(text) || text.length % 4 === 1) return undefined;
  const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  const bytes = new Uint8Array(binary.length);
  for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at);
  return toBase64Url(bytes) === text ? bytes : undefined;
}
