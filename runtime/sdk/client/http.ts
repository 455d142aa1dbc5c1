import type { OpenSession } from "@mcp-codegen/runtime";
import { type Fetch, HttpClientTransport, HttpError } from "@mcp-codegen/runtime/http/client";
import { type FetchLike, NativeTransport } from "../shared/index.js";
import { type AuthProvider, type OAuthClientProvider, UnauthorizedError } from "./auth-provider.js";
import { loginErrorIn } from "./login-errors.js";
import { sessionNamed } from "./open-session.js";
import { type ProviderAuth, providerAuth, refusingScopes } from "./provider-auth.js";
import { type ReconnectionScheduler, reopening } from "./stream-schedule.js";

/** The schedule for reopening an interrupted stream. Times are in milliseconds. */
export interface StreamableHTTPReconnectionOptions {
  initialReconnectionDelay: number;
  maxReconnectionDelay: number;
  reconnectionDelayGrowFactor: number;
  maxRetries: number;
}

/** The options of Streamable HTTP. */
export interface StreamableHTTPClientTransportOptions {
  /** The settings for all requests, such as headers. */
  requestInit?: RequestInit | undefined;
  fetch?: FetchLike | undefined;
  /** The source of tokens. It also obtains them when the server requires them. */
  authProvider?: AuthProvider | OAuthClientProvider | undefined;
  reconnectionOptions?: StreamableHTTPReconnectionOptions | undefined;
  /** A scheduler that replaces the timer and decides when an interrupted stream is reopened. */
  reconnectionScheduler?: ReconnectionScheduler | undefined;
  /** A session that was opened over another transport. The client then does not open one. */
  sessionId?: string | undefined;
  /**
   * The revision of the session that `sessionId` names. If the client has stored a revision, that one takes precedence.
   */
  protocolVersion?: string | undefined;
  /** Set to `throw` to report missing scopes as an error. By default, the client requests them. */
  onInsufficientScope?: "reauthorize" | "throw" | undefined;
  /** The maximum number of times that one request leads to another authorization with more scopes. Default: 1. */
  maxStepUpRetries?: number | undefined;
  /** True to accept an authorization server's metadata that names another issuer; see `auth`. */
  skipIssuerMetadataValidation?: boolean | undefined;
}

/** Options of HTTP+SSE. */
export type SSEClientTransportOptions = Pick<
  StreamableHTTPClientTransportOptions,
  "requestInit" | "fetch" | "authProvider" | "skipIssuerMetadataValidation"
> & {
  /** Accepted but has no effect: the stream is opened with `fetch`, like all requests. */
  eventSourceInit?: unknown;
};

type NativeOptions = NonNullable<ConstructorParameters<typeof HttpClientTransport>[1]>;

abstract class AuthorizedTransport extends NativeTransport {
  private readonly _auth: ProviderAuth | undefined;

  constructor(
    native: HttpClientTransport,
    auth: ProviderAuth | undefined,
    url: URL,
    session?: OpenSession,
  ) {
    super(native, { url: url.href, session });
    this._auth = auth;
  }

  /**
   * Completes the authorization after the user returns from the authorization server. Afterwards, connect with a new
   * transport.
   *
   * @param answer - the code, or all parameters of the redirect URL
   * @throws UnauthorizedError if there is no `authProvider`, or if it is not an `OAuthClientProvider`
   */
  async finishAuth(answer: string | URLSearchParams, issuer?: string): Promise<void> {
    if (this._auth === undefined) throw new UnauthorizedError("There is no authProvider");
    await this._auth.finish(answer, issuer);
  }
}

/** A client transport over Streamable HTTP, for sessions and stateless conversations. */
export class StreamableHTTPClientTransport extends AuthorizedTransport {
  private readonly _state: { endsSession: boolean; report: (error: Error) => void };
  private _version: string | undefined;

  constructor(url: URL, options: StreamableHTTPClientTransportOptions = {}) {
    const { authProvider, sessionId, protocolVersion } = options;
    const auth = authProvider && authFor(authProvider, url, options);
    const state = { endsSession: false, report: (_error: Error): void => {} };
    const { reconnect, ...own } = nativeOptions(options);
    const { reconnectionScheduler: scheduler } = options;
    const perform = auth?.fetchFor(url, own.fetch) ?? own.fetch;
    const schedule = scheduler ? { ...reconnect, ...AT_ONCE } : reconnect;
    const session = sessionId === undefined ? undefined : sessionNamed(sessionId, protocolVersion);
    super(
      new HttpClientTransport(url, {
        ...own,
        fetch: reopening(perform, reconnect, scheduler, state),
        sse: "never",
        endSession: () => state.endsSession,
        session,
        // The program that opened the session may still be running, and the session's stream belongs to it.
        listen: session === undefined,
        ...(schedule ? { reconnect: schedule } : {}),
      }),
      auth,
      url,
      session,
    );
    this._state = state;
    state.report = (error) => this.onerror?.(error);
    this._version = protocolVersion;
  }

  /** The connection's revision: the negotiated one, or that of the session in the options. */
  get protocolVersion(): string | undefined {
    return this._version;
  }

  setProtocolVersion(version: string): void {
    this._version = version;
  }

  /** The session's id; undefined after `terminateSession`. */
  override get sessionId(): string | undefined {
    return this._state.endsSession ? undefined : super.sessionId;
  }

  /** Terminates the session on the server, and closes the connection. `close` alone does not terminate the session. */
  async terminateSession(): Promise<void> {
    this._state.endsSession = true;
    await this.close();
  }
}

/** The error for a server that refused the HTTP+SSE stream. */
export class SseError extends Error {
  override readonly name: string = "SseError";
  /** The response status, if there was a response. */
  readonly code: number | undefined;
  readonly event: { readonly type: "error"; readonly code?: number; readonly message: string };

  constructor(code: number | undefined, message: string, options?: ErrorOptions) {
    super(`SSE error: ${message}`, options);
    this.code = code;
    this.event = { type: "error", message, ...(code === undefined ? {} : { code }) };
  }
}

/** A client transport over HTTP+SSE, the older HTTP transport. */
export class SSEClientTransport extends AuthorizedTransport {
  constructor(url: URL, options: SSEClientTransportOptions = {}) {
    const { authProvider } = options;
    const auth = authProvider && authFor(authProvider, url, options);
    const own = { ...nativeOptions(options), ...(auth ? { auth } : {}), sse: "only" } as const;
    super(new HttpClientTransport(url, own), auth, url);
  }

  /**
   * Opens the connection.
   * @throws SseError if the server has no HTTP+SSE stream
   */
  override start(): Promise<void> {
    return super.start().catch((error: unknown) => {
      const failure = loginErrorIn(error);
      if (failure || !(error instanceof HttpError)) throw failure ?? error;
      throw new SseError(error.status, error.message, { cause: error });
    });
  }
}

/**
 * The delays of a transport whose interrupted streams are reopened by the program's scheduler. The transport itself
 * does not wait.
 */
const AT_ONCE = { initialDelay: 0, maxDelay: 0 } as const;

function authFor(
  provider: AuthProvider | OAuthClientProvider,
  server: URL,
  options: StreamableHTTPClientTransportOptions,
): ProviderAuth {
  const { fetch: fetchFn, maxStepUpRetries, skipIssuerMetadataValidation } = options;
  return providerAuth(provider, {
    server,
    fetchFn,
    maxStepUpRetries,
    skipIssuerMetadataValidation,
  });
}

/** Converts the options to the runtime's. Members of `requestInit` other than headers apply to each request. */
function nativeOptions({
  requestInit,
  fetch: given,
  onInsufficientScope,
  reconnectionOptions: again,
}: StreamableHTTPClientTransportOptions): NativeOptions & { fetch: Fetch } {
  const { headers, ...init } = requestInit ?? {};
  const perform: Fetch = (url, request) => (given ?? fetch)(url, { ...init, ...request });
  return {
    ...(headers ? { headers: new Headers(headers) } : {}),
    fetch: onInsufficientScope === "throw" ? refusingScopes(perform) : perform,
    ...(again && {
      reconnect: {
        initialDelay: again.initialReconnectionDelay,
        maxDelay: again.maxReconnectionDelay,
        factor: again.reconnectionDelayGrowFactor,
        retries: again.maxRetries,
      },
    }),
  };
}
