import type { Method, RequestId, Revision, Side } from "@mcp-codegen/runtime";
import type { TapeLine } from "../tape/index.js";
import { IdSet } from "./ids.js";
import { member, type Members } from "../tape/json-value.js";

export interface SentRequest {
  readonly id: RequestId;
  readonly method: string;
  /** The method in the generated table, or undefined if the revision does not define it. */
  readonly row: Method | undefined;
  readonly params: Members;
  readonly revision: Revision;
  /** The number and time (in milliseconds) of the request's line in the tape. */
  readonly n: number;
  readonly t: number;
  /** The client's capabilities, if the request itself declares them. */
  readonly clientCapabilities: unknown;
  readonly token: RequestId | undefined;
  progress: number | undefined;
  isCancelled: boolean;
  /** A receiver capability that the request requires but the receiver has not declared. */
  readonly undeclared: string | undefined;
  readonly exchange: number | undefined;
  /** True if the request was sent in an array. In revisions without batches, it may then remain unanswered. */
  readonly isInArray: boolean;
  /** True if a later request from the same side was answered before this one. */
  isOvertaken: boolean;
  /**
   * False if the request is sent as a task although the receiver forbids it, or without a task although the receiver
   * requires one.
   */
  isTaskFit: boolean;
}

/** The state of one list. A request for the first page resets all properties except `cursors`. */
export interface Paging {
  readonly cursors: Set<string>;
  readonly keys: Set<string>;
  readonly seen: Set<string>;
  cacheScope?: unknown;
}

export interface ListedTool {
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  readonly execution: unknown;
}

export interface SideState {
  /**
   * True if the last line was not a message. Such text is reported only once, because it may be part of a message that
   * spans several lines.
   */
  isInText: boolean;
  emptyLine: TapeLine | undefined;
  /** True if a message from this side could not be read or matched: it may have been a response to any request. */
  isUnclear: boolean;
  /** Maps the key of each id (`keyOf`) to the request in flight. */
  readonly inFlight: Map<string, SentRequest>;
  readonly ids: IdSet;
  readonly tokens: Map<string, SentRequest>;
  readonly pastTokens: IdSet;
  /**
   * Maps the progress tokens that may still be used to undefined for tasks, and to the cancellation for cancelled
   * requests.
   */
  readonly openTokens: Map<string, Cancellation | undefined>;
  /**
   * Cancellations by the key of the request's id. They are kept because a response may still arrive shortly afterwards.
   */
  readonly cancelled: Map<string, Cancellation>;
  /** Cancellations since which the other side has not yet answered a later request. */
  readonly unread: Map<string, Cancellation>;
  /** The time at which each of this side's requests was answered, in milliseconds, by the key of its id. */
  readonly answeredAt: Map<string, number>;
  /** The number of times that this side has cancelled a request that had just been answered. */
  lateCancellations: number;
  /** The last request that this side has answered, with the response's line. `took` is in milliseconds. */
  answered: Answered | undefined;
  /** The shortest time in which this side has answered a request, in milliseconds. */
  quickest: number | undefined;
  readonly outcomes: Outcome[];
  /** The method of this side's last message, if that was a notification. */
  notified: string | undefined;
}

/** The number and time (in milliseconds) of a line in the tape. */
export interface Moment {
  readonly n: number;
  readonly t: number;
}

/** A request that was answered at `t`. `took` is in milliseconds. */
export interface Answered extends Moment {
  readonly id: RequestId;
  readonly took: number;
}

export interface Cancellation extends Moment {
  readonly request: SentRequest;
  /** The first later request that the other side has answered. By then at the latest, it had read the cancellation. */
  read?: Answered;
  /**
   * False until the other side has accepted the cancellation with an HTTP response; always true for other transports.
   */
  isAccepted: boolean;
}

export interface ResponseParts {
  readonly id?: RequestId | null;
  readonly result?: unknown;
  readonly error?: unknown;
}

/** A response to a request. `took` is in milliseconds. */
export interface Outcome {
  readonly request: SentRequest;
  readonly took: number;
  readonly message: ResponseParts;
}

/** A stateless server's result that requires input from the client. */
export interface Round {
  readonly request: SentRequest;
  readonly state: unknown;
  readonly inputs: ReadonlyMap<string, { readonly method: string; readonly params: Members }>;
}

export interface ListenState {
  readonly id: RequestId;
  readonly filter: Members;
  isAcknowledged: boolean;
}

export interface Exchange {
  /** The content of the exchange's request body: at least one JSON-RPC request, other messages, or nothing. */
  readonly body: "request" | "other" | "none";
  readonly method: string | undefined;
  /** The messages of the request body, in words. */
  readonly about: string;
  /** The keys (`keyOf`) of the cancelled requests' ids. */
  readonly cancels: readonly string[];
  readonly revision: Revision;
  readonly resumes: boolean;
  readonly listens: boolean;
  /**
   * True if the server has no reason to reject the HTTP request. Its headers are known to match its JSON-RPC request
   * or, if its body does not contain one, no fault was found in it.
   */
  isFit: boolean;
  isAnswered: boolean;
  /** The number of JSON-RPC requests in this exchange whose responses have not yet appeared in the event stream. */
  unanswered: number;
}

/** A notification in an event stream. `t` is in milliseconds. */
export interface Streamed {
  readonly exchange: number;
  readonly t: number;
  readonly isCopy: boolean;
  /** True if it was sent on one of several streams of the session. */
  readonly isOfSeveral: boolean;
  /** True if an earlier, equal notification was sent on only one of several streams of the session. */
  readonly wasAlone: boolean;
}

export interface KnownTask {
  readonly method: Method | undefined;
  /** The request that the task replaces, or undefined if that request was not seen. */
  readonly request: SentRequest | undefined;
  status: unknown;
}

/** The facts about a conversation that checks need, in bounded memory. */
export interface Conversation {
  readonly number: number;
  /** The session's revision. It is undefined before it has been negotiated, and for stateless requests. */
  revision: Revision | undefined;
  stateless: Revision | undefined;
  opening: "none" | "requested" | "answered" | "complete";
  isInitialized: boolean;
  readonly capabilities: { client: unknown; server: unknown };
  readonly sides: Readonly<Record<Side, SideState>>;
  readonly paging: Map<string, Paging>;
  readonly tools: Map<string, ListedTool>;
  readonly rounds: Round[];
  readonly listens: Map<string, ListenState>;
  /**
   * Subscriptions that the client has ended, by the key of the listen request's id. Notifications for them may still
   * arrive.
   */
  readonly endedListens: Map<string, Cancellation>;
  readonly tasks: Map<string, KnownTask>;
  /** The ids of the server's URL-mode elicitations. */
  readonly visits: IdSet;
  logLevel: string | undefined;
  /**
   * URIs that the client has subscribed to. The value is the time at which the server confirmed the end of the
   * subscription, or undefined while it is open.
   */
  readonly subscribed: Map<string, number | undefined>;
  session: { readonly id: string; isOver: boolean } | undefined;
  /** HTTP exchanges whose response has not been seen in full, by number. */
  readonly exchanges: Map<number, Exchange>;
  readonly events: Set<string>;
  /** Maps the text of each notification in a stream to where it was last sent. */
  readonly streamed: Map<string, Streamed>;
  readonly reported: Set<string>;
  /** The number of the last line with a fault, whether or not the fault was reported. */
  faulty: number | undefined;
  /** Findings that wait for the response to `initialize`, because their severity depends on the negotiated revision. */
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
    faulty: undefined,
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
    unread: new Map(),
    answeredAt: new Map(),
    lateCancellations: 0,
    answered: undefined,
    quickest: undefined,
    outcomes: [],
    notified: undefined,
  };
}

/** Adds an entry to a map as the newest one, and removes the oldest entry if the map exceeds its maximum size. */
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

export function isResponse(message: unknown): boolean {
  const isAnswer =
    member(message, "result") !== undefined || member(message, "error") !== undefined;
  return isAnswer && member(message, "method") === undefined;
}

export function otherEventOf({ http }: TapeLine): string | undefined {
  const { type = MESSAGE } = http?.event ?? {};
  return type === MESSAGE ? undefined : type;
}

const MESSAGE = "message";
