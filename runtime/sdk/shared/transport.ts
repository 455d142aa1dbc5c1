import type { AuthInfo } from "./auth-info.js";
import type { JSONRPCMessage, RequestId } from "./message-types.js";

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
