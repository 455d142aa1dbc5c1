import type { ContentOf, FormSchema, Log } from "../../features/index.js";
import type { HandlerContext, RequestOptions, Session } from "../../api/index.js";
import type { Auth, RequestId, Traits } from "../../wire/index.js";
import type { NeutralTypes, Params, Result } from "../neutral-types.js";
import type { SchemaInput, SchemaOutput, StandardSchema } from "./schema-types.js";

/** A client's abilities: the requests that both the client and the revision support. */
export interface Abilities {
  /** True if the user can fill in a form. */
  readonly elicit: boolean;
  /** True if a form can let the user choose several values. Otherwise, omit such fields. */
  readonly elicitChoices: boolean;
  /** True if the user can be sent to a web page. */
  readonly elicitUrl: boolean;
  /** True if the client's model can be sampled. */
  readonly sample: boolean;
  /** True if the client's model can be sampled and can use tools. */
  readonly sampleWithTools: boolean;
  /** True if the client's roots can be listed. */
  readonly roots: boolean;
}

type DetailedFamily = "elicitation" | "roots" | "sampling";

/**
 * The abilities for all other requests in the newest revision, by the family of their methods: `notes` for
 * `notes/pick`.
 */
export type FurtherAbilities<Types extends NeutralTypes> = {
  readonly [
    Method in keyof Types["serverRequests"] as Method extends `${infer Family}/${string}`
      ? string extends Method
        ? never
        : Exclude<Family, DetailedFamily>
      : never
  ]: boolean;
};

/** The client, as it described itself. */
export interface KnownClient<Types extends NeutralTypes> {
  /**
   * The client's name and version, for display only; never base a decision on it. Undefined if the client did not
   * introduce itself.
   */
  readonly info: Types["implementation"] | undefined;
  /** The capabilities, in the shape of the newest revision. */
  readonly capabilities: Types["clientCapabilities"];
}

/** The context of one request, the same in every revision. Its functions can be destructured. */
export interface ServerContext<Types extends NeutralTypes> extends Pick<
  HandlerContext,
  "once" | "progress" | "releaseStream" | "requireScopes" | "task"
> {
  readonly method: string;
  /** Absent for a notification. */
  readonly id: RequestId | undefined;
  /** Aborted when the result is no longer needed. */
  readonly signal: AbortSignal;
  /** The sender of the request, if the transport has authenticated it. */
  readonly auth: Auth | undefined;
  /** The value that the host of an HTTP handler passed with the request: `handler(request, { locals })`. */
  readonly locals?: unknown;
  /**
   * The message's parameters, in the shape of the newest revision. For a tool, these are the parameters of
   * `tools/call`.
   */
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** `params._meta`, if there is one. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly client: KnownClient<Types>;
  /**
   * The connection to the client, which you can associate your own state with. Each stateless request has its own
   * session.
   */
  readonly session: Session;
  /** The id of the revision that the request is handled under, such as `2025-03-26`. */
  readonly revision: string;
  readonly traits: Traits;
  /**
   * The id that the transport assigned to the session. Do not depend on it, because not all revisions have sessions.
   */
  readonly sessionId: string | undefined;
  /** Returns a header of the HTTP request, or undefined if it is absent. */
  readonly header: (name: string) => string | undefined;
  /**
   * Writes to the client's log if the client has requested this level.
   *
   * @deprecated Logs for clients are deprecated in the newest revision: write to stderr, or export OpenTelemetry data.
   */
  readonly log: Log;
  /** The requests that the client supports. */
  readonly can: Abilities & FurtherAbilities<Types>;
  /**
   * Asserts that the client has an ability that the request needs.
   *
   * @param needed - an ability, or capabilities as a client declares them: `{ extensions: { "acme/maps": {} } }`
   * @throws RpcError -32021 if the revision has that code; otherwise a ToolError in a tool, or an RpcError -32602
   *   elsewhere
   */
  readonly require: (needed: keyof Abilities | Types["clientCapabilities"]) => void;
  /**
   * Returns the client's settings for an extension, or undefined unless both the client and the server have declared
   * it.
   */
  readonly extension: (id: string) => Readonly<Record<string, unknown>> | undefined;
  /** Sends a request by its method. Prefer a dedicated function such as `elicit` if the method has one. */
  readonly request: HandlerContext<Types["serverRequests"]>["request"];
  /** Sends the client a notification about this request. */
  readonly notify: HandlerContext<object, Types["serverNotifications"]>["notify"];
  /** The same context, with its properties named as they are in the official SDK. */
  readonly mcpReq: RequestView<Types>;
  readonly http: { readonly authInfo: Auth | undefined } | undefined;
}

/** A request for a few values from the user. */
export interface FormQuestion<Schema> {
  readonly message: string;
  /** A form in the protocol's restricted JSON Schema, or a library schema that can be converted to one. */
  readonly requestedSchema: Schema;
}

export interface UrlQuestion {
  readonly message: string;
  /** The http(s) URL. It must not carry credentials or secrets, or authenticate the user by itself. */
  readonly url: string;
  /**
   * The id for `server.elicitationCompleted`, if the revision has the notification that this method sends. Default: a
   * random id.
   */
  readonly elicitationId?: string | undefined;
}

/** The user's reaction to being sent to a web page. */
export interface UrlOutcome {
  readonly action: "accept" | "decline" | "cancel";
  /**
   * The id for `server.elicitationCompleted`. Absent if the revision does not have the notification that this method
   * sends.
   */
  readonly elicitationId?: string;
}

export type FormOrSchema = FormSchema | StandardSchema;

/** The user's reaction to a form. */
export type FormOutcome<Schema> =
  | { readonly action: "accept"; readonly content: FormContentOf<Schema> }
  | { readonly action: "decline" | "cancel"; readonly content?: never };

export type FormContentOf<Schema> = Schema extends StandardSchema
  ? SchemaOutput<Schema>
  : Schema extends FormSchema
    ? ContentOf<Schema>
    : never;

/** A request with a form in which each value is a single field, because forms cannot have nested values. */
export type FlatQuestion<Schema> = FormQuestion<Schema> &
  (Schema extends StandardSchema
    ? [NestedIn<SchemaInput<Schema>>] extends [never]
      ? unknown
      : { readonly requestedSchema: OnlyFlatFields<NestedIn<SchemaInput<Schema>>> }
    : unknown);

interface OnlyFlatFields<Nested> {
  readonly "a form has texts, numbers, booleans and choices only": Nested;
}

type NestedIn<Values> = keyof {
  [
    Name in keyof Values as unknown extends Values[Name]
      ? never
      : Values[Name] extends string | number | boolean | readonly string[] | undefined
        ? never
        : Name
  ]: Name;
};

export interface AskOptions extends RequestOptions {
  /** The name of the request, if it is embedded in a result. */
  readonly key?: string | undefined;
  /** The request's `_meta`, if the revision has it. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The context of handlers that can send requests to the client: those for tools, prompts and reading resources. If the
 * revision embeds such requests in results, the handler is called again after each round of answers. Anything it does
 * before that must therefore be safe to repeat, or be done with `once`.
 */
export interface AskingContext<Types extends NeutralTypes> extends ServerContext<Types> {
  /**
   * Requests that the user fill in a form. Never request passwords, keys or payment data this way.
   *
   * @example
   * ```ts
   * server.registerTool("book", { description: "Books a table" }, async (ctx) => {
   *   const answer = await ctx.elicit({
   *     message: "For how many?",
   *     requestedSchema: z.object({ guests: z.number().int() }),
   *   });
   *   return answer.action === "accept" ? `Booked for ${answer.content.guests}` : "Not booked";
   * });
   * ```
   *
   * @throws TypeError if the form is invalid
   * @throws InvalidMessageError if the answer does not fit
   * @throws as `require("elicit")`, also for a form that requires a field that the revision does not have
   */
  readonly elicit: <const Schema extends FormOrSchema>(
    question: FlatQuestion<Schema>,
    options?: AskOptions,
  ) => Promise<FormOutcome<Schema>>;
  /**
   * Requests that the client send the user to a web page. `accept` only means that the user agreed to go there.
   *
   * @throws TypeError if the URL is not an http(s) URL
   * @throws the errors of `require("elicitUrl")`
   */
  readonly elicitUrl: (question: UrlQuestion, options?: AskOptions) => Promise<UrlOutcome>;
  /**
   * Requests a message from the client's model.
   *
   * @throws the errors of `require("sample")`, or of `require("sampleWithTools")` if tools are passed
   * @deprecated Sampling is deprecated in the newest revision: call a model of your own from the server.
   */
  readonly sample: (
    params: Params<Types["serverRequests"], "sampling/createMessage">,
    options?: AskOptions,
  ) => Promise<Result<Types["serverRequests"], "sampling/createMessage">>;
  /**
   * Lists the places that the client opens to servers.
   *
   * @throws the errors of `require("roots")`
   * @deprecated Roots are deprecated in the newest revision: take locations as arguments, resource URIs or
   *   configuration.
   */
  readonly listRoots: (
    options?: AskOptions,
  ) => Promise<Result<Types["serverRequests"], "roots/list">>;
  /** The answers to the requests in `inputRequired`, by name; empty at first. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** The state that was passed to `inputRequired`; undefined at first. */
  readonly state: unknown;
}

/** A handler's context, with its properties named as they are in the official SDK. */
export interface RequestView<Types extends NeutralTypes> {
  readonly id: RequestId | undefined;
  readonly method: string;
  readonly _meta: Readonly<Record<string, unknown>> | undefined;
  readonly signal: AbortSignal;
  readonly inputResponses: Readonly<Record<string, unknown>>;
  readonly requestState: <State = unknown>() => State | undefined;
  readonly log: (...message: Parameters<Log>) => Promise<void>;
  readonly elicitInput: (
    params: Params<Types["serverRequests"], "elicitation/create">,
    options?: RequestOptions,
  ) => Promise<Result<Types["serverRequests"], "elicitation/create">>;
  readonly requestSampling: (
    params: Params<Types["serverRequests"], "sampling/createMessage">,
    options?: RequestOptions,
  ) => Promise<Result<Types["serverRequests"], "sampling/createMessage">>;
  readonly send: (
    request: { readonly method: string; readonly params?: object },
    options?: RequestOptions,
  ) => Promise<unknown>;
  readonly notify: (notification: {
    readonly method: string;
    readonly params?: object;
  }) => Promise<void>;
}
