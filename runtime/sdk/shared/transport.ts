import { type AuthInfo, authOf } from "./oauth.js";
import type { JSONRPCMessage, RequestId } from "@mcp-codegen/universal/common/types";
import type {
  Frame,
  Malformed,
  Origin,
  Receiver,
  Transport as RuntimeTransport,
} from "@mcp-codegen/runtime";
import { SdkError, SdkErrorCode, sdkErrorOf } from "./errors.js";

/** A function such as `fetch`. */
export type FetchLike = (url: string | URL, init?: RequestInit) => Promise<Response>;

/** Header values by name, however the host writes them. */
export type IsomorphicHeaders = Record<string, string | string[] | undefined>;

/** The HTTP request that brought a message, as version 1 shows it. */
export interface RequestInfo {
  headers: IsomorphicHeaders;
  url?: URL;
}

/** Kind of conversation that a transport found a message to belong to. */
export interface MessageClassification {
  era: "legacy" | "modern";
  revision?: string;
}

/** Everything that a transport knows of a message beside the message. */
export interface MessageExtraInfo {
  request?: globalThis.Request;
  requestInfo?: RequestInfo;
  classification?: MessageClassification;
  authInfo?: AuthInfo;
  closeSSEStream?: () => void;
  closeStandaloneSSEStream?: () => void;
}

/** Options of sending one message. */
export type TransportSendOptions = {
  /** Received request on whose behalf the message is sent. */
  relatedRequestId?: RequestId | undefined;
  /** Id of the last event of an interrupted response, which continues from there. */
  resumptionToken?: string | undefined;
  /** Called with the id of each event of the response. */
  onresumptiontoken?: ((token: string) => void) | undefined;
  /** HTTP headers of this message alone. */
  headers?: Readonly<Record<string, string>> | undefined;
  /** Aborted when nobody waits for the answer any more, for transports with `hasPerRequestStream`. */
  requestSignal?: AbortSignal | undefined;
  /** Callback for the end of the exchange of the request, for transports with `hasPerRequestStream`. */
  onRequestStreamEnd?: (() => void) | undefined;
};

/** A connection that carries JSON-RPC messages, as the official SDK defines it. */
export interface Transport {
  /** Called by `connect`, once. */
  start(): Promise<void>;
  send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void>;
  close(): Promise<void>;
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?:
    | (<Message extends JSONRPCMessage>(message: Message, extra?: MessageExtraInfo) => void)
    | undefined;
  sessionId?: string | undefined;
  /** True when each request has an exchange of its own, whose end cancels it in stateless conversations. */
  readonly hasPerRequestStream?: boolean | undefined;
  /** Called with the revision that both sides have agreed on. */
  setProtocolVersion?: ((version: string) => void) | undefined;
  /** Called with all revisions that this side speaks, before the connection is opened. */
  setSupportedProtocolVersions?: ((versions: string[]) => void) | undefined;
}

const origins = new WeakMap<MessageExtraInfo, Origin>();

/** Facts about a message in the SDK's shape; {@link originOf} finds the way back. */
export function extraOf(origin: Origin | undefined): MessageExtraInfo | undefined {
  if (origin === undefined) return undefined;
  const extra: MessageExtraInfo = {};
  origins.set(extra, origin);
  return extra;
}

/** Facts about a message in the shape of our runtime. */
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

/** Inside of a {@link NativeTransport}. */
export interface Inside {
  readonly native: RuntimeTransport;
  /** Receiver of what the SDK's shape has no callback for. */
  receiver?: Receiver | undefined;
  /** Error that ended the connection. */
  reason?: Error | undefined;
}

const insides = new WeakMap<object, Inside>();

function isRequest(message: JSONRPCMessage): message is JSONRPCMessage & { id: RequestId } {
  return "method" in message && "id" in message;
}

/** Inside of a transport, if it is of this package. */
export function insideOf(transport: Transport): Inside | undefined {
  return insides.get(transport);
}

/**
 * A transport of our runtime in the SDK's shape. `runtimeTransport` takes it apart again, so that nothing that ours can
 * do is lost on the way to a `Client` or server of this package.
 */
export class NativeTransport implements Transport {
  onclose?: (() => void) | undefined;
  onerror?: ((error: Error) => void) | undefined;
  onmessage?:
    | (<Message extends JSONRPCMessage>(message: Message, extra?: MessageExtraInfo) => void)
    | undefined;
  private readonly _native: RuntimeTransport;
  private _isClosed = false;

  constructor(native: RuntimeTransport) {
    this._native = native;
    insides.set(this, { native });
  }

  get sessionId(): string | undefined {
    return this._native.hooks?.sessionId;
  }

  async start(): Promise<void> {
    await this._native.start(new Callbacks(this, () => this._closed()));
  }

  async send(message: JSONRPCMessage, options?: TransportSendOptions): Promise<void> {
    if (this._isClosed) throw new SdkError(SdkErrorCode.NotConnected, "Not connected");
    const { relatedRequestId, resumptionToken: token, onresumptiontoken, headers } = options ?? {};
    const resumption =
      token === undefined && !onresumptiontoken ? undefined : { token, ontoken: onresumptiontoken };
    if (isRequest(message) && (resumption ?? headers)) {
      this._native.hooks?.sending?.(message.id, { resumption, headers });
    }
    await this._native.send(message as Frame, relatedRequestId);
  }

  async close(): Promise<void> {
    await this._native.close();
    this._closed();
  }

  private _closed(): void {
    if (this._isClosed) return;
    this._isClosed = true;
    this.onclose?.();
  }
}

/** Calls the callbacks of a transport in the SDK's shape. */
class Callbacks implements Receiver {
  private readonly _transport: NativeTransport;
  private readonly _inside: Inside;
  private readonly _closed: () => void;

  constructor(transport: NativeTransport, closed: () => void) {
    this._transport = transport;
    this._inside = insides.get(transport)!;
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

/** A `fetch` whose calls have further options by default; headers of both are sent, those of the call win. */
export function createFetchWithInit(
  baseFetch: FetchLike = fetch,
  baseInit?: RequestInit,
): FetchLike {
  if (baseInit === undefined) return baseFetch;
  return (url, init) =>
    baseFetch(url, { ...baseInit, ...init, headers: headersOf(baseInit, init) });
}

/** Headers in any form as an object. */
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

/** Type and subtype of a `Content-Type` header, in lower case; undefined when there is none. */
export function mediaTypeEssence(header: string | null | undefined): string | undefined {
  const essence = header?.split(";", 1)[0]!.trim().toLowerCase();
  return essence === "" ? undefined : essence;
}

/** True when a `Content-Type` header says JSON, whatever its parameters. */
export function isJsonContentType(header: string | null | undefined): boolean {
  return mediaTypeEssence(header) === "application/json";
}
