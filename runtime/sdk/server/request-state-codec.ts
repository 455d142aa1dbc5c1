import { ProtocolError, ProtocolErrorCode } from "../shared/index.js";
import type { ServerContext } from "./server-context.js";

const MIN_KEY = 32;
const TTL_SECONDS = 600;

/** Options of `createRequestStateCodec`. */
export interface RequestStateCodecOptions {
  /** A secret of 32 bytes or more, shared by all instances. */
  key: Uint8Array | string;
  /** The number of seconds for which a state is valid. Default: 600. */
  ttlSeconds?: number | undefined;
  /** Returns a string to which a state is bound, such as the sender's id. */
  bind?: ((ctx: ServerContext) => string) | undefined;
}

/**
 * A codec that signs the state of rounds in the official SDK's format. The runtime seals the signed state before
 * sending it.
 */
export interface RequestStateCodec<Payload = unknown> {
  /** Signs a payload. */
  mint(payload: Payload, ctx?: ServerContext): Promise<string>;
  /**
   * Returns the payload of a signed state.
   *
   * @throws ProtocolError -32602 if the state is forged, has expired, or belongs to another sender
   */
  verify(state: string, ctx?: ServerContext): Promise<Payload>;
}

const secrets = new WeakMap<object, Uint8Array>();

/**
 * Returns the secret of the codec to which a `verify` function belongs. Servers that share the codec use this secret to
 * seal the state of rounds.
 */
export function secretOf(verify: unknown): Uint8Array | undefined {
  return typeof verify === "function" ? secrets.get(verify) : undefined;
}

/**
 * Creates a codec for the state of rounds. Servers of this project always seal their states; a codec lets instances
 * that share its key open each other's states.
 *
 * @throws TypeError if the key is too short
 */
export function createRequestStateCodec<Payload = unknown>(
  options: RequestStateCodecOptions,
): RequestStateCodec<Payload> {
  const { ttlSeconds = TTL_SECONDS, bind } = options;
  const bytes =
    typeof options.key === "string" ? new TextEncoder().encode(options.key) : options.key;
  if (bytes.length < MIN_KEY)
    throw new TypeError(`The key of a codec must have at least ${MIN_KEY} bytes`);
  const importing = crypto.subtle.importKey(
    "raw",
    Uint8Array.from(bytes),
    { name: "HMAC", hash: "SHA-256" },
    false,
    ["sign", "verify"],
  );
  const signed = (text: string, ctx: ServerContext | undefined): Uint8Array<ArrayBuffer> => {
    if (bind && ctx === undefined) throw new TypeError("A codec with bind needs the context");
    return Uint8Array.from(new TextEncoder().encode(`${bind ? bind(ctx!) : ""}\0${text}`));
  };
  const mint = async (payload: Payload, ctx?: ServerContext): Promise<string> => {
    const text = JSON.stringify({ payload, expires: Date.now() + ttlSeconds * 1000 });
    const tag = await crypto.subtle.sign("HMAC", await importing, signed(text, ctx));
    return `${toBase64(new TextEncoder().encode(text))}.${toBase64(new Uint8Array(tag))}`;
  };
  const verify = async (state: string, ctx?: ServerContext): Promise<Payload> => {
    const [body = "", tag = ""] = state.split(".");
    const text = new TextDecoder().decode(fromBase64(body));
    const isGenuine = await crypto.subtle.verify(
      "HMAC",
      await importing,
      fromBase64(tag),
      signed(text, ctx),
    );
    if (!isGenuine) throw invalid();
    const { payload, expires } = JSON.parse(text) as { payload: Payload; expires: number };
    if (expires < Date.now()) throw invalid();
    return payload;
  };
  secrets.set(verify, folded(bytes));
  return { mint, verify };
}

export function invalid(): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, "Invalid or expired requestState", {
    reason: "invalid_request_state",
  });
}

function folded(bytes: Uint8Array): Uint8Array {
  const key = new Uint8Array(MIN_KEY);
  for (const [index, byte] of bytes.entries()) key[index % MIN_KEY]! ^= byte;
  return key;
}

function toBase64(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll("+", "-")
    .replaceAll("/", "_")
    .replaceAll("=", "");
}

function fromBase64(text: string): Uint8Array<ArrayBuffer> {
  try {
    const binary = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
    return Uint8Array.from(binary, (character) => character.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
