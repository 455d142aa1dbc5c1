import type { Fetch } from "@mcp-codegen/runtime/http/client";
import { type Challenge, challengeIn, sendWithToken, needsNonce } from "./resource-request.js";
import { OAuthError, hostFailure, quoted } from "./errors.js";
import type { LogoutResult, OAuthOptions } from "./options.js";
import {
  TokenStorage,
  type TokenRecord,
  Tokens,
  chooseScopes,
  includesAll,
  scopesIn,
} from "./tokens.js";
import type { AuthStore } from "./store.js";
import { type PendingRecord, TokenSource } from "./token-source.js";

/** The maximum number of times that a request may be rejected and retried with a different token. */
const MOST_RENEWALS = 4;
/**
 * The age in milliseconds up to which a token counts as new. If the server rejects a new token, no other one is
 * requested.
 */
const NEW = 60_000;
const TIMEOUT = 300_000;

interface Refusal {
  readonly challenge: Challenge;
  readonly used: Tokens | undefined;
  readonly operation: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * This client's tokens for one MCP server. Only one authorization runs at a time, no matter how many requests are
 * waiting for it.
 */
export class ServerAuthorization {
  readonly #server: URL;
  readonly #options: OAuthOptions;
  readonly #storage: TokenStorage;
  readonly #source: TokenSource;
  readonly #stepUps = new StepUps();
  readonly #changed: () => void;
  #tokens: Tokens | undefined;
  #loading: Promise<void> | undefined;
  #pending: SharedWork<Tokens> | undefined;

  /** @param changed - called if the tokens may belong to another account */
  constructor(server: URL, options: OAuthOptions, store: AuthStore, changed: () => void) {
    this.#changed = changed;
    const id = options.client?.id ?? "";
    this.#server = server;
    this.#options = options;
    this.#storage = new TokenStorage(store, server, id);
    this.#source = new TokenSource(server, options, store, this.#storage);
  }

  /**
   * Sends a request with a token and, unless it is a DELETE, sends it again with a different one if the server requires
   * it. A request to a different origin is sent without a token.
   */
  async fetch(url: URL, init: RequestInit, send: Fetch): Promise<Response> {
    if (url.origin !== this.#server.origin) return send(url, init);
    let tokens = await this.#ready(init);
    let hasNonce = false;
    for (let renewals = 0; ;) {
      const response = await sendWithToken(url, init, send, tokens?.record);
      const { status } = response;
      const operation = operationOf(init);
      if (status !== 401 && status !== 403) {
        this.#accepted(tokens, operation);
        return response;
      }
      const challenge = await challengeIn(response, tokens?.record.accessToken);
      if (!hasNonce && status === 401 && needsNonce(challenge, tokens?.record)) {
        hasNonce = true;
        response.body?.cancel().catch(() => {});
        continue;
      }
      const isScope = challenge.error === "insufficient_scope";
      if ((status === 403 && !isScope) || init.method === "DELETE") return response;
      response.body?.cancel().catch(() => {});
      renewals += 1;
      if (renewals > MOST_RENEWALS) throw refused(challenge);
      const headers = versionHeader(init);
      const refusal = { challenge, used: tokens, operation, headers };
      tokens = await this.#renew(refusal, init.signal);
    }
  }

  async login(signal: AbortSignal | undefined): Promise<void> {
    await this.#load();
    const challenge = await this.#source.firstChallenge(signal);
    this.#tokens = undefined;
    const refusal = { challenge, used: undefined, operation: "login", headers: {} };
    await this.#share((stop) => this.#authorize(refusal, stop, true)).join(signal);
  }

  async logout(): Promise<LogoutResult> {
    const last = await this.#storage.last();
    this.#tokens = undefined;
    this.#changed();
    const record = last && (await this.#storage.take(last.issuer, last.resource));
    if (record === undefined) return "none";
    const { issuer } = record;
    try {
      const discovery = await this.#source.discover(undefined, record, {});
      if (discovery.issuer !== issuer) return "forgotten";
      const signal = AbortSignal.timeout(TIMEOUT);
      return (await this.#source.revoke(discovery, record, signal)) ? "revoked" : "forgotten";
    } catch {
      return "forgotten";
    }
  }

  async finish(record: PendingRecord, back: URL): Promise<void> {
    const { timeout = TIMEOUT } = this.#options;
    if (Date.now() - record.since > timeout) throw tooLate(timeout);
    const signal = AbortSignal.timeout(timeout);
    this.#tokens = new Tokens(await this.#source.finish(record, back, signal), "issued");
    this.#changed();
  }

  /**
   * Returns the tokens to try first. An expired token that cannot be refreshed is sent anyway, because the server's
   * challenge decides what to do next.
   */
  async #ready({ headers, signal, method }: RequestInit): Promise<Tokens | undefined> {
    await this.#load();
    const tokens = this.#tokens;
    if (tokens === undefined || !tokens.isExpired || method === "DELETE") return tokens;
    if (tokens.record.refreshToken === undefined) return tokens;
    try {
      const challenge = {
        text: undefined,
        error: undefined,
        scope: undefined,
        resourceMetadata: undefined,
      };
      const refusal = {
        challenge,
        used: tokens,
        operation: "",
        headers: versionHeader({ headers: headers ?? {} }),
      };
      const work = (stop: AbortSignal): Promise<Tokens> => this.#refreshOnly(refusal, stop);
      return await this.#share(work).join(signal);
    } catch {
      signal?.throwIfAborted();
      return this.#tokens;
    }
  }

  #load(): Promise<void> {
    this.#loading ??= (async () => {
      const last = await this.#storage.last();
      const record = last && (await this.#storage.read(last.issuer, last.resource));
      if (record !== undefined) this.#tokens ??= new Tokens(record, "stored");
    })().catch((error: unknown) => {
      this.#loading = undefined;
      throw hostFailure(error);
    });
    return this.#loading;
  }

  #accepted(tokens: Tokens | undefined, operation: string): void {
    if (tokens === undefined) return;
    tokens.isAccepted = true;
    this.#stepUps.succeeded(operation);
  }

  async #renew(refusal: Refusal, signal: AbortSignal | null | undefined): Promise<Tokens> {
    if (this.#tokens !== undefined && this.#tokens !== refusal.used) return this.#tokens;
    const tokens = await this.#share((stop) => this.#authorize(refusal, stop)).join(signal);
    return tokens;
  }

  /** Starts the work, or returns the work that other requests are already waiting for. */
  #share(work: (signal: AbortSignal) => Promise<Tokens>): SharedWork<Tokens> {
    if (this.#pending !== undefined) return this.#pending;
    const { timeout = TIMEOUT } = this.#options;
    const shared = new SharedWork<Tokens>(async (stop) => {
      const late = AbortSignal.timeout(timeout);
      try {
        const signal = AbortSignal.any([stop, late]);
        const tokens = await untilAborted(work(signal), signal);
        if (tokens.origin !== "refreshed") this.#changed();
        return (this.#tokens = tokens);
      } catch (error) {
        if (late.aborted) throw tooLate(timeout);
        throw stop.aborted ? error : hostFailure(error);
      } finally {
        this.#pending = undefined;
      }
    });
    this.#pending = shared;
    return shared;
  }

  async #refreshOnly({ used, headers }: Refusal, signal: AbortSignal): Promise<Tokens> {
    const { issuer, accessToken } = used!.record;
    const discovery = await this.#source.discover(undefined, used!.record, headers);
    const record =
      discovery.issuer === issuer
        ? await this.#source.refresh(discovery, accessToken, signal)
        : undefined;
    return record === undefined ? used! : new Tokens(record, "refreshed");
  }

  async #authorize(refusal: Refusal, signal: AbortSignal, isForced = false): Promise<Tokens> {
    const { challenge, used, headers } = refusal;
    const last = used?.record ?? (await this.#storage.last());
    const discovery = await this.#source.discover(challenge.resourceMetadata, last, headers);
    const { issuer, resource } = discovery;
    const before = used?.record.issuer === issuer ? used.record : undefined;
    const isStepUp = before !== undefined && needsMore(challenge, before);
    if (used !== undefined && before !== undefined)
      this.#assertWorthTrying(used, refusal, isStepUp);
    if (!isStepUp && !isForced) {
      const kept = await this.#storage.read(issuer, resource);
      const isOther = kept !== undefined && kept.accessToken !== before?.accessToken;
      const wasRefreshed = used?.origin === "refreshed" && !used.isAccepted;
      if (isOther || !wasRefreshed) {
        const record = await this.#source.refresh(discovery, before?.accessToken, signal);
        if (record !== undefined) return new Tokens(record, isOther ? "stored" : "refreshed");
      }
    }
    const scopes = chooseScopes({
      challenge: challenge.scope,
      before: isStepUp ? before.requested : [],
      resource: discovery.scopes,
      configured: this.#options.scopes ?? [],
      server: discovery.metadata.scopes_supported,
      isLasting: this.#options.authorize.hasUser,
    });
    return new Tokens(await this.#source.issue(discovery, scopes, signal), "issued");
  }

  /** @throws OAuthError if another token would not help */
  #assertWorthTrying(used: Tokens, { challenge, operation }: Refusal, isStepUp: boolean): void {
    const { text, scope, error } = challenge;
    if (isStepUp) return this.#stepUps.count(operation, scope, text);
    if (error === "insufficient_scope")
      throw insufficient("although the token has those that it names", scope, text);
    if (used.origin === "issued" && !used.isAccepted && used.age < NEW) throw refused(challenge);
  }
}

function needsMore({ scope }: Challenge, { requested, granted }: TokenRecord): boolean {
  return !includesAll([...requested, ...granted], scopesIn(scope));
}

/** Returns a key for the operation that a request performs, because step-ups are counted per operation. */
function operationOf({ method = "GET", headers, body }: RequestInit): string {
  const fields = new Headers(headers);
  const named = [fields.get("mcp-method"), fields.get("mcp-name")];
  if (named[0] !== null || typeof body !== "string") return [method, ...named].join(" ");
  try {
    const { method: called, params } = JSON.parse(body) as {
      method?: unknown;
      params?: { name?: unknown; uri?: unknown };
    };
    return [method, called, params?.name ?? params?.uri].join(" ");
  } catch {
    return method;
  }
}

function versionHeader({ headers }: RequestInit): Record<string, string> {
  const name = "mcp-protocol-version";
  const version = new Headers(headers).get(name);
  return version === null ? {} : { [name]: version };
}

function refused({ text, error }: Challenge): OAuthError {
  const what = "The MCP server rejects the token that its authorization server has just issued";
  const expected = 'a token that this server accepts: check its audience, and the option "interop"';
  return new OAuthError("token", what, { status: 401, error, expected, challenge: text });
}

function tooLate(milliseconds: number): OAuthError {
  return new OAuthError(
    "authorization",
    `The authorization was not complete after ${milliseconds} ms`,
    {
      expected: `a response from the user, or a longer "timeout"`,
    },
  );
}

const MOST_STEP_UPS = 2;
const MOST_IN_PERIOD = 8;
/** The period that {@link MOST_IN_PERIOD} applies to, in milliseconds. */
const PERIOD = 600_000;
const MOST_OPERATIONS = 1000;

/** Counts step-ups, so that a server cannot keep prompting the user (MCP: step-up, retry limits). */
export class StepUps {
  readonly #counts = new Map<string, number>();
  #times: number[] = [];

  count(operation: string, scope: string | undefined, challenge: string | undefined): void {
    const now = Date.now();
    this.#times = this.#times.filter((time) => now - time < PERIOD);
    if (this.#times.length >= MOST_IN_PERIOD) {
      const how = `after ${MOST_IN_PERIOD} more authorizations in ${PERIOD / 60_000} minutes`;
      throw insufficient(how, scope, challenge);
    }
    const count = (this.#counts.get(operation) ?? 0) + 1;
    if (count > MOST_STEP_UPS) {
      this.#counts.delete(operation);
      throw insufficient(`still after ${MOST_STEP_UPS} more authorizations`, scope, challenge);
    }
    this.#times.push(now);
    if (this.#counts.size >= MOST_OPERATIONS) this.#counts.clear();
    this.#counts.set(operation, count);
  }

  succeeded(operation: string): void {
    this.#counts.delete(operation);
  }
}

export function insufficient(
  how: string,
  scope: string | undefined,
  challenge: string | undefined,
): OAuthError {
  const text = `The MCP server requires more scopes than the token has, ${how}`;
  const expected =
    scope === undefined ? "a scope that the server does not name" : `the scope ${quoted(scope)}`;
  return new OAuthError("scope", text, {
    expected,
    error: "insufficient_scope",
    status: 403,
    challenge,
  });
}

export class SharedWork<T> {
  readonly #controller = new AbortController();
  readonly #result: Promise<T>;
  #waiting = 0;

  constructor(work: (signal: AbortSignal) => Promise<T>) {
    this.#result = work(this.#controller.signal);
    this.#result.catch(() => {});
  }

  async join(signal: AbortSignal | null | undefined): Promise<T> {
    signal?.throwIfAborted();
    this.#waiting += 1;
    try {
      return await (signal ? untilAborted(this.#result, signal) : this.#result);
    } finally {
      this.#waiting -= 1;
      if (this.#waiting === 0) this.#controller.abort();
    }
  }
}

/** Waits for work until the signal aborts, even if the work ignores the signal. */
export async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  work.catch(() => {});
  signal.throwIfAborted();
  let stop: (() => void) | undefined;
  const aborted = new Promise<never>((_, reject) => {
    stop = () => reject(signal.reason as Error);
    signal.addEventListener("abort", stop, { once: true });
  });
  try {
    return await Promise.race([work, aborted]);
  } finally {
    signal.removeEventListener("abort", stop!);
  }
}
