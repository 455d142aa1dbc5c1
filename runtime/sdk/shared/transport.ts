import { type AuthInfo, authOf } from "./oauth.js";
import type { JSONRPCMessage, RequestId } from "@mcp-codegen/universal/common/types";
import type {
  Frame,
  Malformed,
  OpenSession,
  Origin,
  Receiver,
  RequestMessage,
  Revision,
  Transport as RuntimeTransport,
} from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal";
import { PROTOCOL_VERSION_META_KEY } from "./constants.js";
import { sdkErrorOf } from "./converted-errors.js";
import { SdkError, SdkErrorCode } from "./errors.js";

/** A function such as `fetch`. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Header fields by name, in any form that hosts use. */
export type IsomorphicHeaders = Record<string, string | string[] | undefined>;

/** The HTTP request that carried a message, in version 1 form. */
export interface RequestInfo {
  headers: IsomorphicHeaders;
  url?: URL;
}

/** The kind of conversation to which a transport assigns a message. */
export interface MessageClassification {
  era: "legacy" | "modern";
  revision?: string;
}

/** Information about a message that its transport provides. */
export interface MessageExtraInfo {
  request?: globalThis.Request;
  requestInfo?: RequestInfo;
  classification?: MessageClassification;
  authInfo?: AuthInfo;
  closeSSEStream?: () => void;
  closeStandaloneSSEStream?: () => void;
}

/** The options for sending one message. */
export type TransportSendOptions = {
  /** The id of the received request to which the message relates. */
  relatedRequestId?: RequestId | undefined;
  /** The id of the last event received from an interrupted response. The response is resumed after that event. */
  resumptionToken?: string | undefined;
  /** Called with the id of each event in the response. */
  onresumptiontoken?: ((token: string) => void) | undefined;
  /** HTTP headers for this message only. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** A signal that aborts when the response is no longer needed, for transports with `hasPerRequestStream`. */
  requestSignal?: AbortSignal | undefined;
  /** Called when the request's exchange ends, for transports with `hasPerRequestStream`. */
  onRequestStreamEnd?: (() => void) | undefined;
};

/** A connection that carries JSON-RPC messages, with the official SDK's interface. */
export interface Transport {
  /** Opens the connection. Called once, by `connect`. */
  start(): Promise<void>;
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?:
    | (<Message extends JSONRPCMessage>(message: Message, extra?: MessageExtraInfo) => void)
    | undefined;
  sessionId?: string | undefined;
  /** True if each request has its own exchange. In stateless conversations, ending the exchange cancels the request. */
  readonly hasPerRequestStream?: boolean | undefined;
  /** Called with the negotiated revision. */
  setProtocolVersion?: ((version: string) => void) | undefined;
  /** Called with all revisions that this side supports, before the connection is opened. */
  setSupportedProtocolVersions?: ((versions: string[]) => void) | undefined;
}

const origins = new WeakMap<MessageExtraInfo, Origin>();

/** Converts information about a message to the SDK's form. {@link originOf} is the inverse. */
export function extraOf(origin: Origin | undefined): MessageExtraInfo | undefined {
  if (origin === undefined) return undefined;
  const extra: MessageExtraInfo = {};
  origins.set(extra, origin);
  return extra;
}

/** Converts information about a message to the runtime's form. */
export function originOf(extra: MessageExtraInfo | undefined): Origin | undefined {
  if (extra === undefined) return undefined;
  return origins.get(extra) ?? newOrigin(extra);
}

function newOrigin({ authInfo, request, requestInfo }: MessageExtraInfo): Origin {
  const header = request
    ? (name: string) => request.headers.get(name) ?? undefined
    : requestInfo && ((name: string) => textOf(requestInfo.headers[name]));
  return {
    ...(authInfo === undefined ? {} : { auth: authOf(authInfo) }),
    ...(header === undefined ? {} : { header }),
  };
}

function textOf(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(", ") : value;
}

/** The internals of a {@link NativeTransport}. */
export interface Inside {
  readonly native: RuntimeTransport;
  /** Receives events for which the SDK's interface has no callback. */
  receiver?: Receiver | undefined;
  /** The error that ended the connection. */
  reason?: Error | undefined;
  /** True if the transport has been started, possibly by the program itself. */
  isStarted?: boolean;
  isClosed?: boolean;
  /** The URL to which the transport connects. */
  readonly url?: string | undefined;
  /** The session that the transport resumes. It is completed when a client connects. */
  readonly session?: OpenSession | undefined;
}

function statelessRevisionOf(message: JSONRPCMessage): Revision | undefined {
  if (!("method" in message)) return undefined;
  const { _meta: meta } = (message.params ?? {}) as { _meta?: Record<string, unknown> };
  const id = meta?.[PROTOCOL_VERSION_META_KEY];
  if (typeof id !== "string") return undefined;
  return revisions.find((one) => one.id === id && one.traits.lifecycle !== "initialize");
}

function isRequest(message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } {
  return "method" in message && "id" in message;
}

/**
 * Returns the internals of a transport of this package, including subclasses and proxies. Returns undefined for other
 * transports.
 */
export function insideOf(transport: Transport): Inside | undefined {
  return transport instanceof NativeTransport ? transport["_inside"] : undefined;
}

/**
 * A runtime transport with the SDK's interface. `runtimeTransport` unwraps it, so that a `Client` or server of this
 * package can use all its abilities.
 */
export class NativeTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?:
    | (<Message extends JSONRPCMessage>(message: Message, extra?: MessageExtraInfo) => void)
    | undefined;
  private readonly _inside: Inside;

  constructor(native: RuntimeTransport, server: Pick<Inside, "url" | "session"> = {}) {
    this._inside = { native, ...server };
  }

  get sessionId(): string | undefined {
    return this._inside.native.hooks?.sessionId;
  }

  /** True while each request has its own exchange, as in stateless conversations over HTTP. */
  get hasPerRequestStream(): boolean {
    return this._inside.native.hooks?.stateless !== undefined;
  }

  /**
   * Starts the transport.
   * @throws Error if the transport has already been started
   */
  async start(): Promise<void> {
    const inside = this._inside;
    if (inside.isStarted) {
      throw new Error(
        `${this.constructor.name} already started! If using Client class, note that connect() calls start() automatically.`,
      );
    }
    inside.isStarted = true;
    await inside.native.start(new Callbacks(this, inside, () => this._closed()));
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    const { native, isClosed } = this._inside;
    if (isClosed) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
    const { relatedRequestId, resumptionToken: token, onresumptiontoken, headers } = options ?? {};
    const resumption =
      token === undefined && !onresumptiontoken ? undefined : { token, ontoken: onresumptiontoken };
    if (isRequest(message) && (resumption ?? headers)) {
      native.hooks?.sending?.(message.id, { resumption, headers });
    }
    const revision = statelessRevisionOf(message);
    const exchanges = revision && native.hooks?.stateless;
    if (exchanges) await exchanges.send(message as RequestMessage, revision!);
    else await native.send(message as Frame, relatedRequestId);
  }

  async close(): Promise<void> {
    await this._inside.native.close();
    this._closed();
  }

  private _closed(): void {
    if (this._inside.isClosed) return;
    this._inside.isClosed = true;
    this.onclose?.();
  }
}

class Callbacks implements Receiver {
  private readonly _transport: NativeTransport;
  private readonly _inside: Inside;
  private readonly _closed: () => void;

  constructor(transport: NativeTransport, inside: Inside, closed: () => void) {
    this._transport = transport;
    this._inside = inside;
    this._closed = closed;
  }

  message(value: unknown, origin?: Origin): void {
    this._transport.onmessage?.(value as JSONRPCMessage, extraOf(origin));
  }

  malformed(problem: Malformed): void {
    const { receiver } = this._inside;
    if (receiver) receiver.malformed(problem);
    else this._transport.onerror?.(new SyntaxError(`Received ${problem.problem}`));
  }

  failed(id: string | number | undefined, error: Error): void {
    const { receiver } = this._inside;
    if (receiver && id !== undefined) receiver.failed(id, error);
    else this._transport.onerror?.(receiver ? error : (sdkErrorOf(error) as Error));
  }

  ended(): void {
    this._inside.receiver?.ended();
  }

  closed(error?: Error): void {
    this._inside.reason = error;
    this._closed();
  }
}

/** Wraps `fetch` with default options. Headers are merged, with those of the call taking precedence. */
export function createFetchWithInit(
  baseFetch: FetchLike = fetch,
  baseInit?: RequestInit,
): FetchLike {
  if (baseInit === undefined) return baseFetch;
  return (url, init) =>
    baseFetch(url, { ...baseInit, ...init, headers: headersOf(baseInit, init) });
}

/** Converts headers in any form to an object. */
export function normalizeHeaders(headers: HeadersInit | undefined): Record<string, string> {
  if (headers === undefined || headers instanceof Headers || Array.isArray(headers)) {
    return Object.fromEntries(new Headers(headers));
  }
  return { ...headers };
}

function headersOf(...inits: (RequestInit | undefined)[]): Headers {
  const headers = new Headers();
  for (const init of inits) {
    new Headers(init?.headers).forEach((value, name) => headers.set(name, value));
  }
  return headers;
}

/** Returns the type and subtype in a `Content-Type` header, in lower case, or undefined if there is none. */
export function mediaTypeEssence(header: string | null | undefined): string | undefined {
  const essence = header?.split(";", 1)[0]!.trim().toLowerCase();
  return essence === "" ? undefined : essence;
}

/** True if a `Content-Type` header declares JSON, whatever its parameters. */
export function isJsonContentType(header: string | null | undefined): boolean {
  return mediaTypeEssence(header) === "application/json";
}
