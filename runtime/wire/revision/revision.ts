import type { RpcError } from "../errors.js";
import type { Validator } from "../validation/validator.js";

export type Side = "client" | "server";

/** The traits of a revision's messages that the runtime branches on, derived from its schema. */
export interface Traits {
  /** The way a conversation opens: with a handshake, or with self-contained requests and optional discovery. */
  readonly lifecycle: "initialize" | "discover";
  /**
   * The way a server sends requests to the client: on the wire, or embedded in results. `none` if it cannot send any.
   */
  readonly serverRequests: "wire" | "embedded" | "none";
  /** True if a message may be an array of messages. */
  readonly batching: boolean;
  /** The location of `jsonrpc` and `id`: `inside` if the request types declare them. */
  readonly envelope: "inside" | "outside";
  /** `required` if each request must carry `params._meta`. */
  readonly requestMeta: "optional" | "required";
  /** True if each result must carry `resultType`. */
  readonly resultType: boolean;
  /** True if list results state how long they remain fresh and who may cache them (`ttlMs`, `cacheScope`). */
  readonly cacheable: boolean;
  /** `optional` if an error response may lack an `id`. */
  readonly errorId: "required" | "optional";
  /** True if `params.task` can turn a request into a task. */
  readonly tasks: boolean;
  /** True if progress notifications can contain human-readable text (`message`). */
  readonly progressMessage: boolean;
}

/**
 * The requirements in a revision's prose that the runtime branches on but that its schema does not state. They come
 * from the revision's facts.
 */
export interface Conventions {
  /**
   * The revision's HTTP transport: a single endpoint (`streamable`), or an endpoint for messages and an SSE stream
   * (`sse`).
   */
  readonly http: "streamable" | "sse";
  /** True if HTTP requests name the negotiated revision in a header (`MCP-Protocol-Version`). */
  readonly versionHeader: boolean;
  /** True if a server may end a stream before it has sent the response. The client then fetches the rest. */
  readonly polling: boolean;
  /** The response to arguments that do not fit a tool's schema: an error, or a tool result. */
  readonly toolInputErrors: "error" | "result";
  /** True if HTTP requests mirror their method and subject in headers (`Mcp-Method`, `Mcp-Name`). */
  readonly methodHeaders: boolean;
  /** HTTP statuses by error code name. All other errors have status 200. */
  readonly errorStatuses: Readonly<Record<string, number>>;
  /** The first and last error codes that only the revision may define; empty if none are reserved. */
  readonly reservedErrors: readonly number[];
  /** The HTTP statuses of a refusal after which a client tries the older transport. */
  readonly fallbackStatuses: "4xx" | readonly number[];
}

/** The purposes of the messages that the engine handles itself. */
export type Role =
  | "initialize"
  | "initialized"
  | "ping"
  | "cancelled"
  | "progress"
  | "discover"
  | "listen"
  | "acknowledged";

/**
 * A condition on a member. The capability is required if the member is present and, with `in`, has one of these values.
 */
export interface Condition {
  /** The name of the member. The path to a nested member has dots, as in `notifications.toolsListChanged`. */
  readonly member: string;
  readonly in?: readonly string[];
  /** True if the condition also applies when the member is absent. */
  readonly orAbsent?: boolean;
  readonly capability: string;
  /** A capability that also meets the condition if it is declared as an empty object. */
  readonly orEmpty?: string;
  /** The level of the requirement in the specification: `should` for SHOULD; absent for MUST. */
  readonly level?: "should";
  /** Set to `drop` if a member whose condition is not met is left out. Otherwise, the request is refused. */
  readonly unmet?: "drop";
}

export interface ResultInLieu {
  /** The id of the extension, which both sides must declare. */
  readonly extension: string;
  readonly result: Validator;
}

export interface JoinedTopic {
  readonly notification: string;
  /**
   * The member of the notification's parameters that is compared with the values to which a client has subscribed;
   * absent if the topic includes all notifications.
   */
  readonly key?: string | undefined;
}

export interface JoinedMembers {
  readonly member: string;
  /** The validator for the added members, which receives the whole object. */
  readonly check: Validator;
  /** The subscription topics, by the added member that requests them. */
  readonly topics?: Readonly<Record<string, JoinedTopic>> | undefined;
}

/** A row in a revision's dispatch table. */
export interface Method {
  readonly method: string;
  readonly kind: "request" | "notification";
  readonly from: Side | "both";
  /** `embedded` if the message travels inside a result and never as a JSON-RPC message. */
  readonly channel: "wire" | "embedded";
  readonly role?: Role;
  /** The validator for the parameters; absent if the message has none. */
  readonly params?: Validator;
  readonly paramsOptional: boolean;
  /** The validator for the final result; requests only. */
  readonly result?: Validator;
  /** The validator for the alternative result if the request was sent as a task. */
  readonly taskResult?: Validator;
  /** The validator for the alternative result if the server needs answers first. */
  readonly inputResult?: Validator;
  /** The alternative results, by `resultType`. */
  readonly inLieu?: Readonly<Record<string, ResultInLieu>>;
  /** The members that an extension adds to the parameters. */
  readonly joined?: JoinedMembers & { readonly extension: string };
  /** The id of the extension that the message belongs to; absent for the revision's own messages. */
  readonly extension?: string;
  /**
   * The path of the capability that must be declared, beginning with the side that must declare it, such as
   * `server.resources.subscribe` or `receiver.tasks.list`.
   */
  readonly capability?: string;
  /** The capability that a handler for this request declares, such as `{ resources: { subscribe: true } }`. */
  readonly declares?: Readonly<Record<string, unknown>>;
  readonly conditions?: readonly Condition[];
  readonly paginated: boolean;
  readonly cacheable: boolean;
  /** Advice on a deprecated message: the revision since which it has been deprecated, and what to use instead. */
  readonly deprecated?: string;
  /** The parameter that HTTP requests mirror in a header field. */
  readonly nameHeader?: string;
  /**
   * The method that lists the schemas whose annotations select the arguments that HTTP requests mirror in header
   * fields.
   */
  readonly paramHeaders?: string;
}

/**
 * The kind of item in a family. A tool is used with arguments that match a schema, and a prompt with strings; a resource
 * is read by its URI, and a template by its variables. An item of any other kind is used only by its key, if at all.
 */
export type FamilyKind = "tool" | "prompt" | "resource" | "template" | "other";

/**
 * The methods for one kind of item: how items are listed, used and announced. They are derived from the schema, so code
 * that handles all families need not name any of them.
 */
export interface MethodFamily {
  /** The member of the result that contains the items, such as `resourceTemplates`. */
  readonly name: string;
  /** The name of one item in texts, such as `resource template`. */
  readonly noun: string;
  /** The method that lists the items, such as `resources/templates/list`. */
  readonly list: string;
  readonly kind: FamilyKind;
  /** The side that requests the list. */
  readonly from: Side | "both";
  /** The member that identifies an item, such as `uriTemplate`. */
  readonly key: string;
  /** The method that uses one item, such as `tools/call`, `prompts/get` or `resources/read`. */
  readonly use?: string;
  /** The member that identifies the item in the parameters of `use`. */
  readonly by?: string;
  /** The result type of `use`, such as `CallToolResult`. */
  readonly result?: string;
  /** The family of the items that templates match; absent if this family does not consist of templates. */
  readonly templatesOf?: string;
  /** The notification that the list has changed. */
  readonly changed?: string;
  /** The method that subscribes to one item; absent if items have no subscriptions. */
  readonly subscribe?: string;
  /** The notification that an item has changed. */
  readonly updated?: string;
  /** The capability of the side that has the list, such as `server.tools`. */
  readonly capability?: string;
  /** The reference type in completion requests, such as `ref/prompt`. */
  readonly reference?: string;
}

/** Rows by method name. Because it is a map, names such as `constructor` are not found in it. */
export type MethodTable = ReadonlyMap<string, Method>;

/** Translates whole messages between the newest revision, for which handlers are written, and another revision. */
export interface Projection {
  /**
   * Returns the function that converts part of an outgoing message to the form of the revision; undefined if the two
   * revisions do not differ there. The function throws a CapabilityError if the revision cannot express the message.
   */
  down(row: Method, part: MessagePart, onloss?: OnLoss | undefined): Convert | undefined;
  /**
   * Returns the function that converts a valid part of a received message to the newest revision's form; undefined if
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

/** A value that a revision cannot express. */
export interface Loss {
  /** The id of the revision that cannot express the value. */
  readonly revision: string;
  readonly method: string;
  /** The location of the value, as a JSON Pointer into the parameters or the result. */
  readonly path: string;
  readonly reason: string;
  /** The value that is lost. */
  readonly value: unknown;
  /** The value that is sent instead; undefined if there is none. */
  readonly replacement: unknown;
}

/** Called with each loss. A return value other than undefined is sent instead of the replacement. */
export type OnLoss = (loss: Loss) => unknown;

/** Everything that the engine needs to know about a revision. */
export interface Revision {
  /** The revision's id, which is a date such as `2025-03-26`. */
  readonly id: string;
  readonly traits: Traits;
  readonly conventions: Conventions;
  readonly methods: MethodTable;
  /** The families of methods, in schema order. */
  readonly families: readonly MethodFamily[];
  /** Error codes by constant name, such as `METHOD_NOT_FOUND`. */
  readonly errorCodes: Readonly<Record<string, number>>;
  /**
   * The validator for the parameters that all requests share. It is used in addition to the method's own validator if
   * the parameter types do not include the shared ones.
   */
  readonly requestParams?: Validator;
  readonly notificationParams?: Validator;
  /** Translates messages to and from the newest revision, for handlers that are written for that revision. */
  readonly projection?: Projection;
  /** Translates errors to those that the revision has, for handlers that are written for several revisions. */
  readonly projectError?: ProjectError;
  /**
   * Loads the validators and the projection, and completes this revision with them. Absent from a complete revision and
   * after the first successful call; a failed call can be repeated.
   */
  readonly load?: (() => Promise<void>) | undefined;
}
