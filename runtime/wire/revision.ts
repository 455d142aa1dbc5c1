import type { ProjectError, Projection } from "./projection.js";
import type { Validator } from "./validation.js";

export type Side = "client" | "server";

/** Properties of a revision's wire format, derived from its schema. */
export interface Traits {
  /**
   * Kind of conversation: `initialize` for sessions with a handshake, `discover` for stateless
   * requests.
   */
  readonly lifecycle: "initialize" | "discover";
  /** Channel of the server's requests: on the wire, embedded in results, or `none`. */
  readonly serverRequests: "wire" | "embedded" | "none";
  /** True when a message may be an array of messages. */
  readonly batching: boolean;
  /** Place where request types declare `jsonrpc` and `id`: inside the type, or outside. */
  readonly envelope: "inside" | "outside";
  /** Requirement on `params._meta` of requests. */
  readonly requestMeta: "optional" | "required";
  /** True when each result must carry `resultType`. */
  readonly resultType: boolean;
  /** True when list results carry freshness (`ttlMs`, `cacheScope`). */
  readonly cacheable: boolean;
  /** Requirement on the `id` of an error response. */
  readonly errorId: "required" | "optional";
  /** True when a request can be turned into a task. */
  readonly tasks: boolean;
  /** True when progress notifications can carry a text for people. */
  readonly progressMessage: boolean;
}

/** Requirements of a revision that only the prose of the specification states. */
export interface Conventions {
  /** The HTTP transport that the revision describes: one endpoint, or an SSE stream beside it. */
  readonly http: "streamable" | "sse";
  /** True when HTTP requests name the negotiated revision in a header (`MCP-Protocol-Version`). */
  readonly versionHeader: boolean;
  /**
   * True when a server may close a stream before it has answered, and the client reconnects for the
   * rest.
   */
  readonly polling: boolean;
  /**
   * Report of tool arguments that violate the tool's schema: a JSON-RPC error, or a tool result
   * with `isError`.
   */
  readonly toolInputErrors: "error" | "result";
  /**
   * True when HTTP requests repeat their method, and for some the name of their subject, in header
   * fields.
   */
  readonly methodHeaders: boolean;
  /** HTTP statuses of JSON-RPC errors by the name of their code; all others travel with 200. */
  readonly errorStatuses: Readonly<Record<string, number>>;
  /** HTTP statuses after which a client that was refused tries the older transport. */
  readonly fallbackStatuses: "4xx" | readonly number[];
}

/** Messages that the engine handles itself, by what they are for. */
export type Role =
  | "initialize"
  | "initialized"
  | "ping"
  | "cancelled"
  | "progress"
  | "discover"
  | "listen"
  | "acknowledged";

/** `capability` is needed when the member is present (and, with `in`, has one of these values). */
export interface Condition {
  /** Dotted when nested: `notifications.toolsListChanged`. */
  readonly member: string;
  readonly in?: readonly string[];
  /** The condition also holds when the member is absent. */
  readonly orAbsent?: boolean;
  readonly capability: string;
  /** The gate is also open when this capability is declared as an empty object. */
  readonly orEmpty?: string;
  /** The specification says SHOULD; a MUST without it. */
  readonly level?: "should";
  /**
   * Treatment of a member whose condition is not met: it is left out, instead of the request being
   * refused.
   */
  readonly unmet?: "drop";
}

/** One row of a revision's dispatch table. */
export interface Method {
  readonly method: string;
  readonly kind: "request" | "notification";
  readonly from: Side | "both";
  /** `embedded`: travels inside a result, never as a JSON-RPC message. */
  readonly channel: "wire" | "embedded";
  readonly role?: Role;
  /** Absent when the message has no parameters. */
  readonly params?: Validator;
  readonly paramsOptional: boolean;
  /** The final result; requests only. */
  readonly result?: Validator;
  /** The result may instead be this, when the request asked for a task. */
  readonly taskResult?: Validator;
  /** The result may instead be this, when the server needs answers first. */
  readonly inputResult?: Validator;
  /** `server.resources.subscribe`, `receiver.tasks.list`: who must have declared what. */
  readonly capability?: string;
  /** Capability that a handler of this request declares: `{ resources: { subscribe: true } }`. */
  readonly declares?: Readonly<Record<string, unknown>>;
  readonly conditions?: readonly Condition[];
  readonly paginated: boolean;
  readonly cacheable: boolean;
  /** The member of the parameters that HTTP requests repeat in a header field. */
  readonly nameHeader?: string;
  /** HTTP requests repeat annotated arguments in header fields; this method lists the schemas that say which. */
  readonly paramHeaders?: string;
}

/** Looked up by the method's name; a name like `constructor` is just not in it. */
export type MethodTable = ReadonlyMap<string, Method>;

/** Everything that the engine must know of one revision, as one value. */
export interface Revision {
  /** The date on the wire: `2025-03-26`. */
  readonly id: string;
  readonly traits: Traits;
  readonly conventions: Conventions;
  /** Lifecycle strategy of the runtime for servers of this revision; opaque to everyone else. */
  readonly lifecycle: object;
  readonly methods: MethodTable;
  /** Error codes by constant name: `METHOD_NOT_FOUND`. */
  readonly errorCodes: Readonly<Record<string, number>>;
  /** Parameters that all requests share; checked beside the specific ones where the types do not include them. */
  readonly requestParams?: Validator;
  readonly notificationParams?: Validator;
  /**
   * Translation of messages from and to the newest revision, for handlers that are written for that
   * one.
   */
  readonly projection?: Projection;
  /**
   * Translation of errors to those that the revision has, for handlers that are written for several
   * revisions.
   */
  readonly projectError?: ProjectError;
}
