import type { Method, RequestId, Revision, Side } from "@mcp-codegen/runtime";
import type { TapeLine } from "../tape/index.js";
import { IdSet } from "./ids.js";
import { member, type Members } from "../tape/json-value.js";

/** Request that has been sent. */
export interface SentRequest {
  readonly id: RequestId;
  readonly method: string;
  /** Row of the method; undefined if the revision does not define it. */
  readonly row: Method | undefined;
  readonly params: Members;
  readonly revision: Revision;
  /** Number of its line, and its time. */
  readonly n: number;
  readonly t: number;
  /** Capabilities of the client that the request itself declares. */
  readonly clientCapabilities: unknown;
  readonly token: RequestId | undefined;
  /** Value of the last progress. */
  progress: number | undefined;
  isCancelled: boolean;
  /** Capability of the receiver that the request needs but the receiver has not declared. */
  readonly undeclared: string | undefined;
  /** Number of the HTTP exchange of the request; tests of its response need it. */
  readonly exchange: number | undefined;
  /** True if a later request of the same side was answered first. */
  isOvertaken: boolean;
  /** False if it is sent as a task that the receiver forbids, or not as a task that the receiver requires. */
  isTaskFit: boolean;
}

/** Pages of one list, since its first page was requested. */
export interface Paging {
  /** Cursors that the server has returned. */
  readonly cursors: Set<string>;
  readonly keys: Set<string>;
  /** Cursors that were followed since the first page. */
  readonly seen: Set<string>;
  /** Cache scope of the first page. */
  cacheScope?: unknown;
}

/** Tool, as it was listed last. */
export interface ListedTool {
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  readonly execution: unknown;
}

/** State of what one side has sent. */
export interface SideState {
  /** True if the last line was text, which may be a part of a message that is spread over several lines. */
  isInText: boolean;
  /** Empty line after the last message. */
  emptyLine: TapeLine | undefined;
  /** True if a message of this side could not be read: it may have been a response. */
  isUnclear: boolean;
  /** Requests in flight, by the key of the id. */
  readonly inFlight: Map<string, SentRequest>;
  /** Ids of all requests. */
  readonly ids: IdSet;
  /** Requests in flight, by the key of the progress token. */
  readonly tokens: Map<string, SentRequest>;
  /** Tokens of requests that have been answered. */
  readonly pastTokens: IdSet;
  /** Tokens of requests that continue as a task, and of cancelled requests with the cancellation, by their key. */
  readonly openTokens: Map<string, Cancellation | undefined>;
  /** Cancellations, by the key of the id: a response may still arrive shortly after. */
  readonly cancelled: Map<string, Cancellation>;
  /** Number of cancellations of the request that was answered last. */
  lateCancellations: number;
  /** Request that this side has answered last, and the time of the response. */
  answered: (Moment & { readonly id: RequestId; readonly took: number }) | undefined;
  /** Shortest time in which this side has answered a request; undefined before it has answered any. */
  quickest: number | undefined;
  /** Last responses of this side. */
  readonly outcomes: Outcome[];
  /** Method of the last message of this side, if it was a notification. */
  notified: string | undefined;
}

/** Line of a conversation, and its time. */
export interface Moment {
  readonly n: number;
  readonly t: number;
}

/** Cancellation of a request. */
export interface Cancellation extends Moment {
  readonly request: SentRequest;
  /** False over HTTP until the other side has accepted it. */
  isAccepted: boolean;
}

export interface ResponseParts {
  readonly id?: RequestId | null;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** Response to a request, and the time that it has taken. */
export interface Outcome {
  readonly request: SentRequest;
  readonly took: number;
  readonly message: ResponseParts;
}

/** Result that requires input from the client. */
export interface Round {
  readonly request: SentRequest;
  readonly state: unknown;
  /** Input requests by key. */
  readonly inputs: ReadonlyMap<string, { readonly method: string; readonly params: Members }>;
}

/** Subscription of a client, by its listen request. */
export interface ListenState {
  readonly id: RequestId;
  readonly filter: Members;
  isAcknowledged: boolean;
}

/** Request over HTTP. */
export interface Exchange {
  /** Form of its body: a JSON-RPC request, another message, or none. */
  readonly body: "request" | "other" | "none";
  readonly method: string | undefined;
  /** Keys of the ids of the requests that it cancels. */
  readonly cancels: readonly string[];
  readonly revision: Revision;
  /** True if it continues a stream. */
  readonly resumes: boolean;
  /** True for the request of a subscription. */
  readonly listens: boolean;
  /** True if its headers are known to repeat its body. */
  isFit: boolean;
  /** True once the head of its response has been judged. */
  isAnswered: boolean;
  /** Number of its requests that its own stream has not answered yet. */
  unanswered: number;
}

/** Task, as it was reported last. */
export interface KnownTask {
  /** Row of the request that the task replaces; undefined if the request was not seen. */
  readonly method: Method | undefined;
  /** Request that the task replaces; undefined if it was not seen. */
  readonly request: SentRequest | undefined;
  status: unknown;
}

/** Facts of a conversation that checks need. Its size does not depend on the number of messages. */
export interface Conversation {
  readonly number: number;
  /** Revision of the session; undefined before it is agreed, and for stateless requests. */
  revision: Revision | undefined;
  /** Revision of the last stateless request. */
  stateless: Revision | undefined;
  /** Progress of the handshake. */
  opening: "none" | "requested" | "answered" | "complete";
  /** True once the client has sent notifications/initialized. */
  isInitialized: boolean;
  readonly capabilities: { client: unknown; server: unknown };
  readonly sides: Readonly<Record<Side, SideState>>;
  readonly paging: Map<string, Paging>;
  readonly tools: Map<string, ListedTool>;
  readonly rounds: Round[];
  readonly listens: Map<string, ListenState>;
  /** Times at which the client has ended subscriptions, by the key of the id: a notification may still arrive. */
  readonly endedListens: Map<string, Cancellation>;
  /** Tasks by id. */
  readonly tasks: Map<string, KnownTask>;
  /** Ids of the visits to a page that the server has requested of its client. */
  readonly visits: IdSet;
  logLevel: string | undefined;
  /** URIs that the client has subscribed to: true until the server has confirmed the end of the subscription. */
  readonly subscribed: Map<string, boolean>;
  /** Session over HTTP: its id, and the exchange that showed that it has ended. */
  session: { readonly id: string; isOver: boolean } | undefined;
  /** Messages and events of HTTP exchanges whose response has not been seen. */
  readonly exchanges: Map<number, Exchange>;
  /** Ids of the events of all streams. */
  readonly events: Set<string>;
  /** Latest stream and time of each notification, by its text. */
  readonly streamed: Map<string, { readonly exchange: number; readonly t: number }>;
  /** Findings that have been reported, to report each once. */
  readonly reported: Set<string>;
  /** Findings before the response to `initialize`, which need the revision that the response agrees on. */
  readonly held: ((agreed: Revision | undefined) => void)[];
}

export function openConversation(number: number): Conversation {
  return {
    number,
    revision: undefined,
    stateless: undefined,
    opening: "none",
    isInitialized: false,
    capabilities: { client: undefined, server: undefined },
    sides: { client: sideState(), server: sideState() },
    paging: new Map(),
    tools: new Map(),
    rounds: [],
    listens: new Map(),
    endedListens: new Map(),
    tasks: new Map(),
    visits: new IdSet(),
    logLevel: undefined,
    subscribed: new Map(),
    session: undefined,
    exchanges: new Map(),
    events: new Set(),
    streamed: new Map(),
    reported: new Set(),
    held: [],
  };
}

function sideState(): SideState {
  return {
    isInText: false,
    emptyLine: undefined,
    isUnclear: false,
    inFlight: new Map(),
    ids: new IdSet(),
    tokens: new Map(),
    pastTokens: new IdSet(),
    openTokens: new Map(),
    cancelled: new Map(),
    lateCancellations: 0,
    answered: undefined,
    quickest: undefined,
    outcomes: [],
    notified: undefined,
  };
}

/** Adds an entry to a map or set that forgets its oldest entry when it exceeds a size. */
export function remember<Key, Value>(
  map: Map<Key, Value>,
  key: Key,
  value: Value,
  most = 10_000,
): void {
  map.delete(key);
  map.set(key, value);
  if (map.size > most) map.delete(map.keys().next().value!);
}

export function otherSide(side: Side): Side {
  return side === "client" ? "server" : "client";
}

/** True for a result or an error. */
export function isResponse(message: unknown): boolean {
  const isAnswer =
    member(message, "result") !== undefined || member(message, "error") !== undefined;
  return isAnswer && member(message, "method") === undefined;
}

/** Type of the event that a line was in, unless that is the type of messages. */
export function otherEventOf({ http }: TapeLine): string | undefined {
  const { type = MESSAGE } = http?.event ?? {};
  return type === MESSAGE ? undefined : type;
}

const MESSAGE = "message";
