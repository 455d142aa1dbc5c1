import type { RpcError } from "../errors.js";
import type { Validator } from "../validation/validator.js";

export type Side = "client" | "server";

/** Traits of a revision's messages that the runtime branches on; derived from its schema. */
export interface Traits {
  /** Opening of a conversation: a handshake, or self-contained requests with optional discovery. */
  readonly lifecycle: "initialize" | "discover";
  /**
   * Form in which a server sends requests to the client: on the wire, or embedded in results;
   * `none` if it cannot.
   */
  readonly serverRequests: "wire" | "embedded" | "none";
  /** True if a message may be an array of messages. */
  readonly batching: boolean;
  /** Place of `jsonrpc` and `id`: `inside` if the types of requests declare them. */
  readonly envelope: "inside" | "outside";
  /** `required` if each request must carry `params._meta`. */
  readonly requestMeta: "optional" | "required";
  /** True if each result must carry `resultType`. */
  readonly resultType: boolean;
  /** True if list results state how long they stay fresh, and who may cache them (`ttlMs`, `cacheScope`). */
  readonly cacheable: boolean;
  /** `optional` if an error response may lack an `id`. */
  readonly errorId: "required" | "optional";
  /** True if `params.task` can turn a request into a task. */
  readonly tasks: boolean;
  /** True if progress notifications can contain a human-readable text (`message`). */
  readonly progressMessage: boolean;
}

/**
 * Requirements in a revision's prose that its schema does not state, and that the runtime branches
 * on; from its facts.
 */
export interface Conventions {
  /**
   * HTTP transport of the revision: a single endpoint (`streamable`), or an endpoint for messages and an SSE stream
   * (`sse`).
   */
  readonly http: "streamable" | "sse";
  /** True if HTTP requests name the negotiated revision in a header (`MCP-Protocol-Version`). */
  readonly versionHeader: boolean;
  /** True if a server may end a stream before it has sent the response; the client then fetches the rest. */
  readonly polling: boolean;
  /** Response to arguments that do not fit a tool's schema: an error, or a result of the tool. */
  readonly toolInputErrors: "error" | "result";
  /** True if HTTP requests mirror their method and subject in headers (`Mcp-Method`, `Mcp-Name`). */
  readonly methodHeaders: boolean;
  /** HTTP statuses by the name of the error code; all other errors have status 200. */
  readonly errorStatuses: Readonly<Record<string, number>>;
  /** First and last error code that only the revision may define; empty if none is reserved. */
  readonly reservedErrors: readonly number[];
  /** HTTP statuses of a refusal after which a client tries the older transport. */
  readonly fallbackStatuses: "4xx" | readonly number[];
}

/** Messages that the engine handles itself, by purpose. */
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
 * Condition on a member: the capability is required if the member is present (and, with `in`, has one of these
 * values).
 */
export interface Condition {
  /** Name of the member; the path to a nested one has dots, such as `notifications.toolsListChanged`. */
  readonly member: string;
  readonly in?: readonly string[];
  /** True if the condition also applies when the member is absent. */
  readonly orAbsent?: boolean;
  readonly capability: string;
  /** Capability that also meets the condition if it is declared as an empty object. */
  readonly orEmpty?: string;
  /** Level of the requirement in the specification: `should` for SHOULD; absent for MUST. */
  readonly level?: "should";
  /** `drop`: a member whose condition is not met is left out. Otherwise the request is refused. */
  readonly unmet?: "drop";
}

export interface ResultInLieu {
  /** Id of the extension, which both sides have to declare. */
  readonly extension: string;
  readonly result: Validator;
}

export interface JoinedTopic {
  readonly notification: string;
  /**
   * Member of the notification's parameters that is compared with the values to which a client has subscribed;
   * absent if the topic includes all notifications.
   */
  readonly key?: string | undefined;
}

export interface JoinedMembers {
  readonly member: string;
  /** Validator for the added members; it receives the whole object. */
  readonly check: Validator;
  /** Subscription topics, by the added member that requests them. */
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
  /** Validator of the parameters; absent if the message has none. */
  readonly params?: Validator;
  readonly paramsOptional: boolean;
  /** Validator of the final result; requests only. */
  readonly result?: Validator;
  /** Validator of the alternative result, if the request was sent as a task. */
  readonly taskResult?: Validator;
  /** Validator of the alternative result, if the server needs answers first. */
  readonly inputResult?: Validator;
  /** Alternative results, by `resultType`. */
  readonly inLieu?: Readonly<Record<string, ResultInLieu>>;
  /** Members that an extension adds to the parameters. */
  readonly joined?: JoinedMembers & { readonly extension: string };
  /** Id of the extension that the message belongs to; absent for those of the revision. */
  readonly extension?: string;
  /**
   * Path of the capability that has to be declared, beginning with the side that has to declare it, such as
   * `server.resources.subscribe`, `receiver.tasks.list`.
   */
  readonly capability?: string;
  /** Capability that a handler of this request declares: `{ resources: { subscribe: true } }`. */
  readonly declares?: Readonly<Record<string, unknown>>;
  readonly conditions?: readonly Condition[];
  readonly paginated: boolean;
  readonly cacheable: boolean;
  /** Advice for a deprecated message: since which revision it is deprecated, and what to use instead. */
  readonly deprecated?: string;
  /** The member of the parameters that HTTP requests mirror in a header field. */
  readonly nameHeader?: string;
  /**
   * Method that lists the schemas whose annotations select the arguments that HTTP requests mirror
   * in header fields.
   */
  readonly paramHeaders?: string;
}

/**
 * Methods for one kind of item: how items are listed, used and announced. Derived from the schema, so that code that
 * handles all families need not name any of them.
 */
export interface MethodFamily {
  /** Member of the result that contains the items, such as `resourceTemplates`. */
  readonly name: string;
  /** Name of one item in texts, such as `resource template`. */
  readonly noun: string;
  /** Method that lists the items, such as `resources/templates/list`. */
  readonly list: string;
  /** Side that requests the list. */
  readonly from: Side | "both";
  /** Member of an item that identifies it, such as `uriTemplate`. */
  readonly key: string;
  /** Method that uses one item, such as `tools/call`, `prompts/get` or `resources/read`. */
  readonly use?: string;
  /** Member of the parameters of `use` that identifies the item. */
  readonly by?: string;
  /** Type of the result of `use`, such as `CallToolResult`. */
  readonly result?: string;
  /** Family of the items that templates match; absent if this family does not consist of templates. */
  readonly templatesOf?: string;
  /** Notification that the list has changed. */
  readonly changed?: string;
  /** Method that subscribes to one item; absent if items have no subscriptions. */
  readonly subscribe?: string;
  /** Notification that an item has changed. */
  readonly updated?: string;
  /** Capability of the side that has the list, such as `server.tools`. */
  readonly capability?: string;
  /** Type of the reference in requests for completions, such as `ref/prompt`. */
  readonly reference?: string;
}

/** Rows by method name; a name such as `constructor` is not found in the map. */
export type MethodTable = ReadonlyMap<string, Method>;

/** Translation of whole messages between the newest revision, for which handlers are written, and another one. */
export interface Projection {
  /**
   * Returns the function that converts a part of an outgoing message to the form of the revision; undefined if the two
   * revisions do not differ there. The function throws a CapabilityError if the revision cannot express the message.
   */
  down(row: Method, part: MessagePart, onloss?: OnLoss | undefined): Convert | undefined;
  /**
   * Returns the function that converts a valid part of a received message to the form of the newest revision; undefined
   * if the two revisions do not differ there.
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

/** Value that a revision cannot express. */
export interface Loss {
  /** Id of the revision that cannot express the value. */
  readonly revision: string;
  readonly method: string;
  /** Place of the value, as a JSON Pointer into the parameters or the result. */
  readonly path: string;
  readonly reason: string;
  /** Value that is lost. */
  readonly value: unknown;
  /** Value that is sent instead; undefined if there is none. */
  readonly replacement: unknown;
}

/**
 * Called with each loss; a return value other than undefined is sent instead of the replacement.
 */
export type OnLoss = (loss: Loss) => unknown;

/** Everything that the engine needs to know about a revision. */
export interface Revision {
  /** Id of the revision, a date such as `2025-03-26`. */
  readonly id: string;
  readonly traits: Traits;
  readonly conventions: Conventions;
  readonly methods: MethodTable;
  /** Families of methods, in the order of the schema. */
  readonly families: readonly MethodFamily[];
  /** Error codes by constant name, such as `METHOD_NOT_FOUND`. */
  readonly errorCodes: Readonly<Record<string, number>>;
  /**
   * Validator of the parameters that all requests share. Used in addition to the method's own validator if the types
   * of parameters do not include the shared ones.
   */
  readonly requestParams?: Validator;
  readonly notificationParams?: Validator;
  /**
   * Translation of messages from and to the newest revision, for handlers that are written for the
   * newest revision.
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
