import { AuthorizationError } from "@mcp-codegen/runtime/http/client";

/**
 * A step of an authorization: discovering the authorization server, registering, obtaining the user's consent,
 * obtaining a token, or obtaining the scopes that an operation requires.
 */
export type OAuthStage = "discovery" | "registration" | "authorization" | "token" | "scope";

/** Details of a failed authorization. */
export interface OAuthFailure {
  /** The condition under which the authorization would have succeeded. */
  readonly expected?: string | undefined;
  /** The OAuth error code, such as `access_denied`, as sent by the authorization server. */
  readonly error?: string | undefined;
  /** The error description as sent by the authorization server, without secrets. */
  readonly description?: string | undefined;
  /** The status of the MCP server's response, if that is the cause. */
  readonly status?: number | undefined;
  /** The status of the authorization server's response, if that is the cause. */
  readonly serverStatus?: number | undefined;
  /** The MCP server's `WWW-Authenticate` header, if that is the cause. */
  readonly challenge?: string | undefined;
  readonly cause?: unknown;
}

/** A failure to obtain a token that the MCP server accepts. Messages never contain tokens, codes or secrets. */
export class OAuthError extends AuthorizationError {
  static override readonly errorName: string = "OAuthError";
  readonly stage: OAuthStage;
  readonly expected: string | undefined;
  /** The OAuth error code, such as `access_denied` or `invalid_grant`. */
  readonly error: string | undefined;
  /**
   * The authorization server's description of {@link error}. Do not show it to users, because it can contain
   * anything.
   */
  readonly description: string | undefined;
  /** The status of the authorization server's response. */
  readonly serverStatus: number | undefined;

  constructor(stage: OAuthStage, message: string, failure: OAuthFailure = {}) {
    const { expected, error, description, status, serverStatus, challenge, cause } = failure;
    super(expected === undefined ? message : `${message}; expected ${expected}`, challenge, {
      ...(status !== undefined && { status }),
      ...(cause !== undefined && { cause }),
    });
    this.stage = stage;
    this.expected = expected;
    this.error = error;
    this.description = description;
    this.serverStatus = serverStatus;
  }
}

/**
 * Signals that the user was redirected to the authorization server. Call the `OAuth` object's `finish` when they
 * return.
 */
export class RedirectPendingError extends OAuthError {
  static override readonly errorName: string = "RedirectPendingError";

  constructor() {
    super("authorization", "The user has been redirected to the authorization server", {
      expected: "a call of finish() with the URL that the user returns to",
    });
  }
}

/**
 * Thrown if metadata or an authorization response comes from an unexpected authorization server (RFC 8414, section 3.3;
 * RFC 9207). The rest of its content may come from an attacker, so do not display it.
 */
export class IssuerMismatchError extends OAuthError {
  static override readonly errorName: string = "IssuerMismatchError";
  /** The expected issuer. */
  readonly issuer: string;
  /** The issuer in the metadata or response, or undefined if it does not name one. */
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

/** Wraps an error from the host's own code, such as `visit` or a store. */
export function hostFailure(error: unknown): OAuthError {
  if (error instanceof OAuthError) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new OAuthError("authorization", `The authorization has failed: ${reason}`, {
    cause: error,
  });
}

const LONGEST = 200;

/** Quotes foreign text on a single line, shortened and without control characters. */
export function quoted(text: unknown): string {
  const line = String(text)
    .slice(0, LONGEST + 1)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  return `"${line.length > LONGEST ? `${line.slice(0, LONGEST)}…` : line}"`;
}

/** The minimum length of a secret, in characters. Any shorter value would be found in every text. */
const SHORTEST_SECRET = 4;
/** The maximum length of foreign text that is searched for secrets, in characters. */
const LONGEST_SEARCHED = 64 * 1024;

/**
 * Removes secrets from text. Text that contains an encoded secret is replaced entirely by a placeholder, because it is
 * unclear where the secret ends. Text that is too long to search is replaced as well. Secrets shorter than {@link
 * SHORTEST_SECRET} are ignored.
 */
export function redacted(text: string, secrets: readonly (string | undefined)[]): string {
  const hidden = secrets.filter((one) => one !== undefined && one.length >= SHORTEST_SECRET);
  if (text.length > LONGEST_SEARCHED) return "[text omitted: too long]";
  let result = text;
  for (const secret of hidden) result = result.replaceAll(secret!, "[secret]");
  const decoded = decodings(result);
  const all = [...decoded, ...decoded.flatMap(decodings)];
  const isRepeated = all.some((one) => hidden.some((secret) => one.includes(secret!)));
  return isRepeated ? "[text omitted: contains a secret]" : result;
}

/** Decodes the text from each encoding that servers use when they repeat what they received. */
function decodings(text: string): string[] {
  const json = text.replace(/\\(?:u([\da-f]{4})|(.))/gi, (_, code?: string, plain = "") =>
    code === undefined ? plain : String.fromCharCode(parseInt(code, 16)),
  );
  const runs = text.match(/[\w+/-]{6,}/g) ?? [];
  // A run can begin with unrelated characters.
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

/** Returns a URL without its query, which may contain a secret. */
export function place(url: URL): string {
  return `${url.origin}${url.pathname}`;
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

export function strings(value: unknown): readonly string[] | undefined {
  return Array.isArray(value) ? value.filter((one) => typeof one === "string") : undefined;
}

/**
 * Returns true if a header can contain the token. Accepts all visible ASCII characters, which is more than RFC 6750,
 * section 2.1, allows.
 */
export function isHeaderToken(token: string): boolean {
  return /^[\x21-\x7e]+$/.test(token);
}
