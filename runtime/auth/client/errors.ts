import { AuthorizationError } from "@mcp-codegen/runtime/http/client";

/**
 * Step of an authorization: finding the authorization server, getting known to it, asking the user, getting a token,
 * getting the scopes that an operation needs.
 */
export type OAuthStage = "discovery" | "registration" | "authorization" | "token" | "scope";

/** Facts about a failed authorization. */
export interface OAuthFailure {
  /** Condition that would have let it go on. */
  readonly expected?: string | undefined;
  /** Error code of OAuth, such as `access_denied`, as the authorization server sent it. */
  readonly error?: string | undefined;
  /** Status of the MCP server's response, if it is about that: 401 or 403. */
  readonly status?: number | undefined;
  /** Status of the authorization server's response, if it is about that. */
  readonly serverStatus?: number | undefined;
  /** The `WWW-Authenticate` header of the MCP server, if it is about that. */
  readonly challenge?: string | undefined;
  readonly cause?: unknown;
}

/** The client could not get a token that the MCP server accepts. Its texts hold no token, code or secret. */
export class OAuthError extends AuthorizationError {
  override readonly name: string = "OAuthError";
  readonly stage: OAuthStage;
  readonly expected: string | undefined;
  /** Error code of OAuth, such as `access_denied` or `invalid_grant`. */
  readonly error: string | undefined;
  /** Status with which the authorization server answered. */
  readonly serverStatus: number | undefined;

  constructor(stage: OAuthStage, message: string, failure: OAuthFailure = {}) {
    const { expected, error, status, serverStatus, challenge, cause } = failure;
    super(expected === undefined ? message : `${message}; expected ${expected}`, challenge, {
      ...(status !== undefined && { status }),
      ...(cause !== undefined && { cause }),
    });
    this.stage = stage;
    this.expected = expected;
    this.error = error;
    this.serverStatus = serverStatus;
  }
}

/** The user has been sent to the authorization server; `finish` of the `OAuth` object goes on when they are back. */
export class RedirectPendingError extends OAuthError {
  override readonly name: string = "RedirectPendingError";

  constructor() {
    super("authorization", "The user has been sent to the authorization server", {
      expected: "a call of finish() with the URL that the user comes back to",
    });
  }
}

/**
 * Metadata or an authorization response comes from another authorization server than was asked (RFC 8414 §3.3, RFC 9207).
 * What else it says is of an attacker, perhaps: do not show it.
 */
export class IssuerMismatchError extends OAuthError {
  override readonly name: string = "IssuerMismatchError";
  /** Issuer that was asked. */
  readonly issuer: string;
  /** Issuer that has answered; undefined where it does not say. */
  readonly received: string | undefined;

  constructor(
    stage: "discovery" | "authorization",
    message: string,
    issuer: string,
    received: string | undefined,
  ) {
    super(stage, message, { expected: quoted(issuer) });
    this.issuer = issuer;
    this.received = received;
  }
}

/** Failure of what the host gives, such as `visit` or a store, as an error of the authorization. */
export function hostFailure(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new OAuthError("authorization", `The authorization has failed: ${reason}`, {
    cause: error,
  });
}

const LONGEST = 200;

/** Foreign text in quotes, on one line, without control characters, shortened. */
export function quoted(text: unknown): string {
  const line = String(text)
    .slice(0, LONGEST + 1)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  return `"${line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line}"`;
}

/** Characters from which on a value counts as a secret: a shorter one would be found in every text. */
const SHORTEST_SECRET = 4;
/** Longest foreign text that is searched for secrets, in characters. */
const LONGEST_SEARCHED = 64 * 1024;

/**
 * Text without the secrets that it repeats. Of a text that repeats one encoded (percent, form, JSON, base64, or two of them),
 * nothing is left, because the secret has no certain end there.
 */
export function redacted(text: string, secrets: readonly (string | undefined)[]): string {
  const hidden = secrets.filter((one) => one !== undefined && one.length >= SHORTEST_SECRET);
  if (text.length > LONGEST_SEARCHED) return "[text that is too long]";
  let result = text;
  for (const secret of hidden) result = result.replaceAll(secret!, "[secret]");
  const decoded = decodings(result);
  const all = [...decoded, ...decoded.flatMap(decodings)];
  const isRepeated = all.some((one) => hidden.some((secret) => one.includes(secret!)));
  return isRepeated ? "[text that repeats a secret]" : result;
}

/** Readings of a text in the encodings in which servers repeat what they received. */
function decodings(text: string): string[] {
  const json = text.replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code?: string, plain = "") =>
    code === undefined ? plain : String.fromCharCode(parseInt(code, 16)),
  );
  const runs = text.match(/[\w+/-]{6,}/g) ?? [];
  // A run can begin with characters that belong to something else.
  const base64 = runs.flatMap((run) => [0, 1, 2, 3].map((start) => fromBase64(run.slice(start))));
  const form = percentDecoded(text.replaceAll("+", " "));
  const all = new Set([percentDecoded(text), form, json, base64.join(" ")]);
  return [...all].filter((one) => one !== text);
}

function percentDecoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (run) =>
    utf8(run.replace(/%(..)/g, (_, code: string) => String.fromCharCode(parseInt(code, 16)))),
  );
}

function fromBase64(run: string): string {
  const whole = run.slice(0, run.length - (run.length % 4 === 1 ? 1 : 0));
  try {
    return utf8(atob(whole.replaceAll("-", "+").replaceAll("_", "/")));
  } catch {
    return "";
  }
}

function utf8(bytes: string): string {
  return new TextDecoder().decode(Uint8Array.from(bytes, (one) => one.charCodeAt(0)));
}

/** URL without its query, which may hold a secret. */
export function place(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** The strings of a list; undefined for anything else. */
export function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
}

/** True if a header can contain a token (RFC 6750, section 2.1, and the other visible characters of ASCII). */
export function isHeaderToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
