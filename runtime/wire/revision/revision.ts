import type { RpcError } from "../errors.js";
import type { Validator } from "../validation/validator.js";

export type Side = "client" | "server";

/** Traits of a revision's wire, which the runtime branches on; derived from its schema. */
export interface Traits {
  /** Opening of a conversation: a handshake, or self-contained requests with optional discovery. */
  readonly lifecycle: "initialize" | "discover";
  /** Way in which a server asks the client: requests of its own, or questions inside results; `none` if it cannot ask. */
  readonly serverRequests: "wire" | "embedded" | "none";
  /** True when a message may be an array of messages. */
  readonly batching: boolean;
  /** `inside` when request types declare `jsonrpc` and `id` themselves. */
  readonly envelope: "inside" | "outside";
  /** `required` when each request must carry `params._meta`. */
  readonly requestMeta: "optional" | "required";
  /** True when each result must carry `resultType`. */
  readonly resultType: boolean;
  /** True when list results carry freshness (`ttlMs`, `cacheScope`). */
  readonly cacheable: boolean;
  /** `optional` when an error response may lack an `id`. */
  readonly errorId: "required" | "optional";
  /** True when `params.task` can turn a request into a task. */
  readonly tasks: boolean;
  /** True when notifications of progress can carry a text for people (`message`). */
  readonly progressMessage: boolean;
}

/** Demands of a revision's prose that no schema states, which the runtime branches on; from its facts. */
export interface Conventions {
  /** HTTP transport of the revision: one endpoint, or an SSE stream in addition to it. */
  readonly http: "streamable" | "sse";
  /** True when HTTP requests name the agreed revision in a header (`MCP-Protocol-Version`). */
  readonly versionHeader: boolean;
  /** True when a server may end a stream before its answer, and the client fetches the rest. */
  readonly polling: boolean;
  /** Answer to arguments that do not fit a tool's schema: an error of the request, or a result of the tool. */
  readonly toolInputErrors: "error" | "result";
  /** True when HTTP requests repeat their method and subject in headers (`Mcp-Method`, `Mcp-Name`). */
  readonly methodHeaders: boolean;
  /** HTTP statuses of errors by the name of the error code; all others travel with 200. */
  readonly errorStatuses: Readonly<Record<string, number>>;
  /** First and last error code that only the revision gives a meaning; empty where all of them are free. */
  readonly reservedErrors: readonly number[];
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

/** Result that an extension puts in place of the usual one. */
export interface ResultInLieu {
  /** Id of the extension, which both sides have to declare. */
  readonly extension: string;
  readonly result: Validator;
}

/** Subject of subscriptions that an extension adds. */
export interface JoinedTopic {
  /** Method of the notification. */
  readonly notification: string;
  /** Member of the notification's parameters that has one of the values subscribed to; absent where all are meant. */
  readonly key?: string | undefined;
}

/** Members that join an object in the parameters of a message. */
export interface JoinedMembers {
  /** Member of the parameters that has the object. */
  readonly member: string;
  /** Checks the object. */
  readonly check: Validator;
  /** Subjects of subscriptions, by the member that asks for them. */
  readonly topics?: Readonly<Record<string, JoinedTopic>> | undefined;
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
  /** The result may instead be one of these, by its `resultType`. */
  readonly inLieu?: Readonly<Record<string, ResultInLieu>>;
  /** Members that an extension adds to the parameters. */
  readonly joined?: JoinedMembers & { readonly extension: string };
  /** Id of the extension that the message belongs to; absent for those of the revision. */
  readonly extension?: string;
  /** `server.resources.subscribe`, `receiver.tasks.list`: who must have declared what. */
  readonly capability?: string;
  /** Capability that a handler of this request declares: `{ resources: { subscribe: true } }`. */
  readonly declares?: Readonly<Record<string, unknown>>;
  readonly conditions?: readonly Condition[];
  readonly paginated: boolean;
  readonly cacheable: boolean;
  /** Advice of a revision that deprecates the message: since when, and what to use instead. */
  readonly deprecated?: string;
  /** The member of the parameters that HTTP requests repeat in a header field. */
  readonly nameHeader?: string;
  /** HTTP requests repeat annotated arguments in header fields; this method lists the schemas that say which. */
  readonly paramHeaders?: string;
}

/**
 * Methods around one list: what a side offers, and how it is listed, used and announced. Derived from the schema, so that
 * code about all families names none of them.
 */
export interface MethodFamily {
  /** Member of the result that holds the items: `resourceTemplates`. */
  readonly name: string;
  /** One item, in words: `resource template`. */
  readonly noun: string;
  /** Method that lists the items: `resources/templates/list`. */
  readonly list: string;
  /** Side that requests the list. */
  readonly from: Side | "both";
  /** Member of an item that identifies it: `uriTemplate`. */
  readonly key: string;
  /** Method that takes one item: `tools/call`, `prompts/get`, `resources/read`. */
  readonly use?: string;
  /** Member of that method's parameters that identifies the item. */
  readonly by?: string;
  /** Name of the type of that method's result: `CallToolResult`. */
  readonly result?: string;
  /** Family whose items the templates stand for. */
  readonly templatesOf?: string;
  /** Notification of a changed list. */
  readonly changed?: string;
  /** Method that subscribes to one item, where there is one. */
  readonly subscribe?: string;
  /** Notification of a changed item. */
  readonly updated?: string;
  /** Capability of the side that has the list: `server.tools`. */
  readonly capability?: string;
  /** Type of the reference by which completions for an item are requested: `ref/prompt`. */
  readonly reference?: string;
}

/** Looked up by the method's name; a name like `constructor` is just not in it. */
export type MethodTable = ReadonlyMap<string, Method>;

/** Translation of whole messages between the newest revision, for which handlers are written, and another one. */
export interface Projection {
  /**
   * Returns the function that converts a part of an outgoing message to the form of the revision; undefined if the two
   * revisions do not differ there. The function throws a CapabilityError if the revision cannot express the message.
   */
  down(row: Method, part: MessagePart, onloss?: OnLoss | undefined): Convert | undefined;
  /**
   * Returns the function that converts a valid part of a received message to the form of the newest revision; undefined if
   * the two revisions do not differ there.
   */
  up(row: Method, part: MessagePart): Convert | undefined;
}

type Convert = (value: unknown) => unknown;

/** Maps an error to its equivalent in a revision. */
export type ProjectError = (
  request: { readonly method: string; readonly params: unknown },
  error: RpcError,
  onloss: OnLoss | undefined,
) => RpcError;

export type MessagePart = "params" | "result";

/** Something that a revision has no way to say. */
export interface Loss {
  /** Id of the revision that lacks it. */
  readonly revision: string;
  readonly method: string;
  /** JSON Pointer into the parameters or the result. */
  readonly path: string;
  readonly reason: string;
  /** Value that is lost. */
  readonly value: unknown;
  /** Value that replaces it; undefined when none does. */
  readonly replacement: unknown;
}

/** Called with each loss; what it returns, unless that is undefined, is sent instead of the replacement. */
export type OnLoss = (loss: Loss) => unknown;

/** Everything that the engine must know of one revision, as one value. */
export interface Revision {
  /** The date on the wire: `2025-03-26`. */
  readonly id: string;
  readonly traits: Traits;
  readonly conventions: Conventions;
  /** Lifecycle strategy of the runtime for servers of this revision; opaque to everyone else. */
  readonly lifecycle: object;
  readonly methods: MethodTable;
  /** Families of methods, in the order of the schema. */
  readonly families: readonly MethodFamily[];
  /** Error codes by constant name: `METHOD_NOT_FOUND`. */
  readonly errorCodes: Readonly<Record<string, number>>;
  /** Parameters that all requests share; checked besides the specific ones where the types do not include them. */
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
  /**
   * Loads the validators and the projection, and completes this revision with them. Absent from a complete revision, and
   * after the first call that succeeds; a call that fails can be repeated.
   */
  readonly load?: (() => Promise<void>) | undefined;
}
