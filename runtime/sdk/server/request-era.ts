import { revisions } from "@mcp-codegen/universal";
import { PROTOCOL_VERSION_META_KEY, type ProtocolEra } from "../shared/index.js";

const VERSION = "mcp-protocol-version";

export function isStatelessVersion(id: unknown): boolean {
  const known = revisions.find((revision) => revision.id === id);
  return known !== undefined && known.traits.lifecycle !== "initialize";
}

/** Determines the kind of conversation from the header field that is present in every stateless request. */
export function eraOf(headers: { get(name: string): string | null }): ProtocolEra {
  return isStatelessVersion(headers.get(VERSION)) ? "modern" : "legacy";
}

export function isStatelessMessage(message: unknown): boolean {
  const { params } = (message ?? {}) as { params?: { _meta?: Record<string, unknown> | null } };
  return isStatelessVersion(params?._meta?.[PROTOCOL_VERSION_META_KEY]);
}

/** The options of {@link isLegacyRequest}. */
export interface IsLegacyRequestOptions {
  /** The maximum size of a body that is read, in bytes. Default: 4 MiB. */
  maxRequestBodySize?: number | undefined;
}

/**
 * True if a request belongs to a session, or comes from a client that opens one. False if the body exceeds the limit.
 * Intended for hosts with a separate server for such clients.
 *
 * @param parsedBody - the body, if it has already been read; otherwise a clone of the request is read
 */
export async function isLegacyRequest(
  request: Request,
  parsedBody?: unknown,
  { maxRequestBodySize }: IsLegacyRequestOptions = {},
): Promise<boolean> {
  if (eraOf(request.headers) === "modern") return false;
  if (request.method !== "POST") return true;
  if (parsedBody !== undefined) return !isStatelessMessage(parsedBody);
  const read = await readRequestBody(request.clone(), maxRequestBodySize);
  if (read.tooLarge) return false;
  try {
    return !isStatelessMessage(JSON.parse(read.text));
  } catch {
    return true;
  }
}

/** The default limit on a request body, in bytes: 4 MiB. */
export const DEFAULT_MAX_REQUEST_BODY_SIZE = 4_194_304;

/**
 * Reads a request's body as text, unless it is larger than the limit.
 *
 * @param maxBytes - the maximum size in bytes. Default: {@link DEFAULT_MAX_REQUEST_BODY_SIZE}
 */
export async function readRequestBody(
  request: Request,
  maxBytes: number = DEFAULT_MAX_REQUEST_BODY_SIZE,
): Promise<{ tooLarge: true } | { tooLarge: false; text: string }> {
  if (Number(request.headers.get("content-length")) > maxBytes) return { tooLarge: true };
  const reader = request.body?.getReader();
  const decoder = new TextDecoder();
  let text = "";
  let length = 0;
  for (;;) {
    const { done, value } = (await reader?.read()) ?? { done: true, value: undefined };
    if (done) return { tooLarge: false, text: text + decoder.decode() };
    length += value.byteLength;
    if (length > maxBytes) {
      void reader?.cancel().catch(() => {});
      return { tooLarge: true };
    }
    text += decoder.decode(value, { stream: true });
  }
}
