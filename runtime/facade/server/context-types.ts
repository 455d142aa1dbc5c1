import type { ContentOf, FormSchema, Log } from "../../features/index.js";
import type { HandlerContext, RequestOptions } from "../../api/index.js";
import type { Auth, RequestId, Traits } from "../../wire/index.js";
import type { NeutralTypes, Params, Result } from "./neutral-types.js";
import type { RequestView } from "./request-view.js";
import type { SchemaOutput, ShapeOfSchemas, StandardSchema } from "./schema-types.js";

/** Abilities of a client: the requests to it that it and the revision support. */
export interface Abilities {
  /** True when you can show the user a form. */
  readonly elicit: boolean;
  /** True when a form can offer a choice of several values. Otherwise leave such fields out. */
  readonly elicitChoices: boolean;
  /** True when you can send the user to a web page. */
  readonly elicitUrl: boolean;
  /** True when you can ask the client's model. */
  readonly sample: boolean;
  /** True when you can ask the client's model and let it use tools. */
  readonly sampleWithTools: boolean;
  /** True when you can list the client's roots. */
  readonly roots: boolean;
}

/** Families of requests that {@link Abilities} tells apart in more detail. */
type DetailedFamily = "elicitation" | "roots" | "sampling";

/** Abilities for all other requests of the newest revision, by the family of their methods: `notes` for `notes/pick`. */
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
   * Name and version of the client, for people only; never base a decision on it. Undefined when
   * the client did not introduce itself.
   */
  readonly info: Types["implementation"] | undefined;
  /** Capabilities in the shape of the newest revision. */
  readonly capabilities: Types["clientCapabilities"];
}

/** Context of one request, the same at every revision. You may take the functions out of it. */
export interface ServerContext<Types extends NeutralTypes> extends Pick<
  HandlerContext,
  "once" | "progress" | "releaseStream" | "requireScopes" | "task"
> {
  readonly method: string;
  /** Absent for a notification. */
  readonly id: RequestId | undefined;
  /** Aborts when nobody waits for a result any more. */
  readonly signal: AbortSignal;
  /** Sender of the request, when the transport has authenticated it. */
  readonly auth: Auth | undefined;
  /** Parameters of the message, in the shape of the newest revision: for a tool, those of `tools/call`. */
  readonly params: Readonly<Record<string, unknown>> | undefined;
  /** `params._meta`, when there is one. */
  readonly meta: Readonly<Record<string, unknown>> | undefined;
  readonly client: KnownClient<Types>;
  /** Id of the revision that the request is handled under: `2025-03-26`. */
  readonly revision: string;
  readonly traits: Traits;
  /** The transport's name for the session. Nothing should depend on it: there are none at every revision. */
  readonly sessionId: string | undefined;
  /** A header of the HTTP request. */
  readonly header: (name: string) => string | undefined;
  /**
   * Writes to the client's log, as far as the client wants that.
   * @deprecated Logs for clients are deprecated since 2026-07-28: write to stderr, or export OpenTelemetry data.
   */
  readonly log: Log;
  /** Requests that the client supports. */
  readonly can: Abilities & FurtherAbilities<Types>;
  /**
   * Makes sure that the client has something that the request cannot do without.
   *
   * @param needed - an ability, or capabilities as a client declares them: `{ extensions: { "acme/maps": {} } }`
   * @throws RpcError -32021, where the revision has that; else a ToolError in a tool, an RpcError -32602 elsewhere
   */
  readonly require: (needed: keyof Abilities | Types["clientCapabilities"]) => void;
  /** The settings of an extension that the client has declared; undefined when it has not, or the server has not. */
  readonly extension: (id: string) => Readonly<Record<string, unknown>> | undefined;
  /** Sends a request by its method; better use what is made for it, such as `elicit`. */
  readonly request: HandlerContext<Types["serverRequests"]>["request"];
  /** Tells the client something about this request. */
  readonly notify: HandlerContext<object, Types["serverNotifications"]>["notify"];
  /** The same once more, by the names of another library. */
  readonly mcpReq: RequestView<Types>;
  readonly http: { readonly authInfo: Auth | undefined } | undefined;
}

/** Form that asks the user for a few values. */
export interface FormQuestion<Schema> {
  readonly message: string;
  /** A form in the restricted JSON Schema that the protocol has, or a schema of a library that can be made one. */
  readonly requestedSchema: Schema;
}

export interface UrlQuestion {
  readonly message: string;
  /** http(s) URL; it must not carry credentials or secrets, nor authenticate the user by itself. */
  readonly url: string;
  /** Id for `server.elicitationCompleted`, where the revision has completions. Default: a random one. */
  readonly elicitationId?: string | undefined;
}

/** User's reaction to being sent to a web page. */
export interface UrlOutcome {
  readonly action: "accept" | "decline" | "cancel";
  /** Id for `server.elicitationCompleted`; absent where the revision has no completions. */
  readonly elicitationId?: string;
}

export type FormOrSchema = FormSchema | StandardSchema | ShapeOfSchemas;

/** User's reaction to a form. */
export type FormOutcome<Schema> =
  | { readonly action: "accept"; readonly content: FormContentOf<Schema> }
  | { readonly action: "decline" | "cancel"; readonly content?: never };

export type FormContentOf<Schema> = Schema extends StandardSchema | ShapeOfSchemas
  ? SchemaOutput<Schema>
  : Schema extends FormSchema
    ? ContentOf<Schema>
    : never;

export interface AskOptions extends RequestOptions {
  /** Names the question where it travels inside a result. */
  readonly key?: string | undefined;
  /** `_meta` of the question, where the revision has it. */
  readonly _meta?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The context of what can ask the client: tools, prompts and reading resources. Where questions travel inside results,
 * the handler is called anew with each round of answers, up to where it had come: what it does before must be safe to
 * repeat, or be done with `once`.
 */
export interface AskingContext<Types extends NeutralTypes> extends ServerContext<Types> {
  /**
   * Asks the user to fill in a form. Never ask for passwords, keys or payment data this way.
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
   * @throws TypeError for what is no form
   * @throws InvalidMessageError when the answer does not fit
   * @throws what `require("elicit")` does, also for a form that requires a field that the revision does not have
   */
  readonly elicit: <const Schema extends FormOrSchema>(
    question: FormQuestion<Schema>,
    options?: AskOptions,
  ) => Promise<FormOutcome<Schema>>;
  /**
   * Asks to send the user to a web page. That they accept says no more than that they agreed to go there.
   * @throws TypeError for a URL that is not of the web
   * @throws what `require("elicitUrl")` does
   */
  readonly elicitUrl: (question: UrlQuestion, options?: AskOptions) => Promise<UrlOutcome>;
  /**
   * Asks the client's model.
   * @throws what `require("sample")` does, or `require("sampleWithTools")` where there are tools
   * @deprecated Sampling is deprecated since 2026-07-28: call a model of your own from the server.
   */
  readonly sample: (
    params: Params<Types["serverRequests"], "sampling/createMessage">,
    options?: AskOptions,
  ) => Promise<Result<Types["serverRequests"], "sampling/createMessage">>;
  /**
   * Lists the places that the client opens to servers.
   * @throws what `require("roots")` does
   * @deprecated Roots are deprecated since 2026-07-28: take locations as arguments, resource URIs or configuration.
   */
  readonly listRoots: (
    options?: AskOptions,
  ) => Promise<Result<Types["serverRequests"], "roots/list">>;
  /** Answers to what `inputRequired` asked, by the names that were given there; empty at first. */
  readonly answers: Readonly<Record<string, unknown>>;
  /** State that `inputRequired` remembered; undefined at first. */
  readonly state: unknown;
}
