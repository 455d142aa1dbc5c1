import type { Method, RequestId, Revision, Side } from "@mcp-codegen/runtime";
import type { TapeLine } from "../tape/index.js";
import { IdSet } from "./ids.js";
import { member, type Members } from "../tape/json-value.js";

export interface SentRequest {
  readonly id: RequestId;
  readonly method: string;
  /** Method in the generated table; undefined if the revision does not define it. */
  readonly row: Method | undefined;
  readonly params: Members;
  readonly revision: Revision;
  /** Number and time (milliseconds) of the request's line in the tape. */
  readonly n: number;
  readonly t: number;
  /** Capabilities of the client, if the request itself declares them. */
  readonly clientCapabilities: unknown;
  readonly token: RequestId | undefined;
  progress: number | undefined;
  isCancelled: boolean;
  /** Capability of the receiver that the request requires but the receiver has not declared. */
  readonly undeclared: string | undefined;
  readonly exchange: number | undefined;
  /** True if it was sent in an array: in revisions without batches, it may then remain without a response. */
  readonly isInArray: boolean;
  /** True if a later request from the same side was answered first. */
  isOvertaken: boolean;
  /**
   * False if the request is sent as a task although the receiver forbids this, or without a task although the receiver
   * requires one.
   */
  isTaskFit: boolean;
}

/** State of one list. A request for the first page resets all members except `cursors`. */
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
   * True if the last line was not a message. Such text is reported once, because it may be part of a message over
   * several lines.
   */
  isInText: boolean;
  emptyLine: TapeLine | undefined;
  /** True if a message from this side could not be read or matched: it may have been a response to any request. */
  isUnclear: boolean;
  /** Requests in flight, by the key of their ids (`keyOf`). */
  readonly inFlight: Map<string, SentRequest>;
  readonly ids: IdSet;
  readonly tokens: Map<string, SentRequest>;
  readonly pastTokens: IdSet;
  /**
   * Progress tokens that may still be used: those of tasks (undefined) and of cancelled requests (their
   * cancellation).
   */
  readonly openTokens: Map<string, Cancellation | undefined>;
  /** Cancellations by the key of the request's id, kept because a response may still arrive shortly afterwards. */
  readonly cancelled: Map<string, Cancellation>;
  /** Cancellations after which the other side has not yet answered a later request. */
  readonly unread: Map<string, Cancellation>;
  /** Number of times that this side has cancelled a request that had just been answered. */
  lateCancellations: number;
  /** Last request that this side has answered, with the line of the response; `took` is in milliseconds. */
  answered: Answered | undefined;
  /** Shortest time in which this side has answered a request, in milliseconds. */
  quickest: number | undefined;
  readonly outcomes: Outcome[];
  /** Method of the last message from this side, if it was a notification. */
  notified: string | undefined;
}

/** Number and time (milliseconds) of a line in the tape. */
export interface Moment {
  readonly n: number;
  readonly t: number;
}

/** Request that was answered at `t`; `took` is in milliseconds. */
export interface Answered extends Moment {
  readonly id: RequestId;
  readonly took: number;
}

export interface Cancellation extends Moment {
  readonly request: SentRequest;
  /** First later request that the other side has answered: at the latest then, it had read the cancellation. */
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

/** Response to a request; `took` is in milliseconds. */
export interface Outcome {
  readonly request: SentRequest;
  readonly took: number;
  readonly message: ResponseParts;
}

/** Result of a stateless server that requires input from the client. */
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
  /** Content of its body: at least one JSON-RPC request, other messages, or nothing. */
  readonly body: "request" | "other" | "none";
  readonly method: string | undefined;
  /** Keys (`keyOf`) of the cancelled requests' ids. */
  readonly cancels: readonly string[];
  readonly revision: Revision;
  readonly resumes: boolean;
  readonly listens: boolean;
  /**
   * True if the server has no reason to reject the HTTP request: its headers are known to match its JSON-RPC request
   * or, if its body contains none, no fault was found in it.
   */
  isFit: boolean;
  isAnswered: boolean;
  /** Number of its JSON-RPC requests for which its event stream has not yet contained a response. */
  unanswered: number;
}

export interface KnownTask {
  readonly method: Method | undefined;
  /** Request that the task replaces; undefined if it was not seen. */
  readonly request: SentRequest | undefined;
  status: unknown;
}

/** Facts about a conversation that checks need, in bounded memory. */
export interface Conversation {
  readonly number: number;
  /** Revision of the session; undefined before it has been negotiated, and for stateless requests. */
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
   * Subscriptions that the client has ended, by the key of the listen request's id: a notification may still arrive.
   */
  readonly endedListens: Map<string, Cancellation>;
  readonly tasks: Map<string, KnownTask>;
  /** Ids of the server's URL-mode elicitations. */
  readonly visits: IdSet;
  logLevel: string | undefined;
  /**
   * URIs that the client has subscribed to. The value is the time at which the server has confirmed the end of the
   * subscription; undefined while it is open.
   */
  readonly subscribed: Map<string, number | undefined>;
  session: { readonly id: string; isOver: boolean } | undefined;
  /** HTTP exchanges whose response has not been seen completely, by number. */
  readonly exchanges: Map<number, Exchange>;
  readonly events: Set<string>;
  /** Last stream and time of each notification in a stream, by the text of the notification. */
  readonly streamed: Map<string, { readonly exchange: number; readonly t: number }>;
  readonly reported: Set<string>;
  /** Number of the last line with a fault, whether or not it was reported. */
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
    lateCancellations: 0,
    answered: undefined,
    quickest: undefined,
    outcomes: [],
    notified: undefined,
  };
}

/** Adds an entry to a map as its newest, and removes the oldest entry if the map exceeds its maximum size. */
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
