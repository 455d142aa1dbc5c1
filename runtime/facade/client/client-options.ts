import type {
  ElicitationAnswer,
  ElicitationOptions,
  FormElicitation,
  RootDefinition,
  Roots,
  SamplingOptions,
  SchemaCompiler,
  UrlElicitation,
} from "../../features/index.js";
import type {
  AnySendMiddleware,
  ClientOptions as EndpointOptions,
  ConnectOptions as Steps,
  CustomNotification,
  CustomRequest,
  Feature,
  GivenResult,
  HandlerContext,
  RequestHandler,
  SomeMiddleware,
} from "../../api/index.js";
import type { MembersOf } from "../../ground/index.js";
import type { Revision, Transport } from "../../wire/index.js";
import type { HttpClientOptions } from "../../http/client/index.js";
import type { ResponseCacheOptions } from "../cache/index.js";
import type { DescribedExtension } from "../extensions/extension-types.js";
import type { AnyTypes, NeutralTypes } from "../neutral-types.js";
import type { AnswerOf, HandlersOf, ItemIn, QuestionOf } from "./client-types.js";
import type { EraCache } from "./eras.js";
import type { RetryLost } from "./requests.js";
import type { StdioTarget } from "./targets.js";

/** The target of a connection: a URL, a command, or a transport. */
export type Target =
  string | URL | StdioTarget | Transport | (() => Transport | Promise<Transport>);

/** Handles requests for input from the user, through a form or a web page. */
export type ElicitHandler = RequestHandler<
  FormElicitation | UrlElicitation,
  ElicitationAnswer,
  HandlerContext
>;

type RootOf<Types extends NeutralTypes> = ItemIn<AnswerOf<Types, "roots/list">, "roots"> &
  RootDefinition;

/** A list of roots, or a whole result that contains one. */
export type ListedRoots<Types extends NeutralTypes> =
  | readonly RootOf<Types>[]
  | (MembersOf<AnswerOf<Types, "roots/list">> & { readonly roots: readonly RootOf<Types>[] });

/**
 * Handlers for the server's requests. Each handler is declared as a capability. Handlers are the same in every
 * revision.
 */
export interface Answers<Types extends NeutralTypes = AnyTypes> {
  /**
   * Requests input from the user. Pass one function for both forms and web pages, or one for each kind that this client
   * supports. With `{ form, applyDefaults: true }`, the form's defaults fill in the fields that an accepted answer
   * omits.
   */
  readonly onElicit?: ElicitHandler | ElicitationOptions | undefined;
  /**
   * The time, in milliseconds, for which a request is repeated while the server refuses it until the user has visited a
   * web page; never longer than `maxTotalTimeout`. The user is sent to each page once. With 0, the user is not sent to
   * any page, and the caller receives the server's error. Default: 600,000.
   */
  readonly pageTimeout?: number | undefined;
  /**
   * Samples this client's model. Let the user review, change or refuse the request here.
   * @deprecated Sampling is deprecated in the newest revision: call a model of your own from the server.
   */
  readonly onSample?:
    | RequestHandler<
        QuestionOf<Types, "sampling/createMessage">,
        AnswerOf<Types, "sampling/createMessage">,
        HandlerContext
      >
    | undefined;
  /**
   * The abilities of `onSample` beyond a plain conversation.
   *
   * @deprecated Sampling is deprecated in the newest revision: call a model of your own from the server.
   */
  readonly sampling?: SamplingOptions | undefined;
  /**
   * The places that the server may work in. Pass `new Roots([…])` if they change.
   *
   * @deprecated Roots are deprecated in the newest revision: take locations as arguments, resource URIs or
   *   configuration.
   */
  readonly roots?: readonly RootOf<Types>[] | Roots<RootOf<Types>> | undefined;
  /**
   * Returns the roots, or a whole result that contains them, for each request from the server.
   *
   * @deprecated Roots are deprecated in the newest revision: take locations as arguments, resource URIs or
   *   configuration.
   */
  readonly onRoots?:
    ((context: HandlerContext) => ListedRoots<Types> | Promise<ListedRoots<Types>>) | undefined;
}

/** Options of `connect`. */
export interface ConnectOptions<Types extends NeutralTypes = AnyTypes>
  extends Answers<Types>, EndpointOptions<Types["clientCapabilities"], SomeMiddleware>, Steps {
  /** The name and version of this client. Default: `mcp-client`, version `0.0.0`. */
  readonly clientInfo?: Types["implementation"] | undefined;
  /** The revisions to negotiate, or their ids such as `2025-11-25`, in order of preference. Default: all. */
  readonly revisions?: readonly (Revision | string)[] | undefined;
  /** Headers to send with every HTTP request, such as `Authorization`. */
  readonly headers?: HttpClientOptions["headers"];
  /** Logs in if a server requires it, such as `oauth({ … })` from `@mcp-codegen/auth/client`. */
  readonly auth?: HttpClientOptions["auth"] | undefined;
  /** HTTP options, used if the target is a URL. */
  readonly http?: HttpClientOptions | undefined;
  /** Process options, used if the target is a command. The target's own options take precedence. */
  readonly stdio?: Partial<StdioTarget> | undefined;
  /**
   * Caches results that servers mark as fresh for a while. By default, the cache is on and used by this client alone.
   * If `headers` is a function, the default is off, because the requests may belong to different accounts; to turn the
   * cache on, name the account: `{ partition: () => account.id }`.
   */
  readonly cache?: boolean | ResponseCacheOptions | undefined;
  /**
   * Caches the eras of servers, so that they need not be probed again; false for no cache. Default: one cache for this
   * process, which keeps each era for an hour.
   */
  readonly eras?: EraCache | false | undefined;
  /**
   * Controls whether `callTool` checks structured results against the schemas that the server has listed. By default,
   * it checks the results of tools that this client has listed; a schema that cannot be used is reported to `onerror`,
   * and its results are accepted unchecked. With true or a compiler, all tools are listed before the first call, and
   * calls reject if a schema cannot be used. With false, no results are checked.
   */
  readonly checkOutput?: boolean | SchemaCompiler | undefined;
  /** Features that other packages add to the client, such as `contractGuard(…)` from `@mcp-codegen/contract`. */
  readonly plugins?: readonly ClientPlugin[] | undefined;
  /**
   * Handlers by method, in addition to those above. Messages have the form of the newest revision; messages that only
   * an older revision defines have that revision's form.
   */
  readonly handlers?: HandlersOf<Types> | object | undefined;
  /** The extensions that this client declares, generated from their schemas or created with `onExtension`. */
  readonly extensions?: readonly ClientExtension[] | undefined;
  /**
   * Controls which requests are sent again, once, if the connection ends or breaks before the response arrives. By
   * default, these are lists, and reads that one of `revisions` declares cacheable. True adds calls to tools that
   * declare `readOnlyHint` or `idempotentHint` in a list that this client has seen; use it only for servers that you
   * trust to declare them correctly. A function decides for each request. With false, no requests are sent again.
   */
  readonly retryLost?: RetryLost | undefined;
  /** The schedule for reopening an interrupted subscription. */
  readonly relisten?: Relisten | undefined;
}

/** The schedule for reopening a subscription. Times are in milliseconds, and each failure doubles the wait. */
export interface Relisten {
  /** The wait after the first failure. Default: 500. */
  readonly initialDelay?: number | undefined;
  /** The longest wait. Default: 30,000. */
  readonly maxDelay?: number | undefined;
}

/** The server's description of itself, received when a session opens. */
export interface ServerDescription {
  readonly instructions?: unknown;
}

/** A client for any revision, with an open connection. */
export interface OpenClient {
  /** The id of the negotiated revision. */
  readonly revision: string;
  readonly server: { readonly capabilities?: unknown; readonly instructions?: unknown };
  /** Resolves when the connection is over. */
  readonly closed: Promise<unknown>;
  on(event: never, listener: () => void): { readonly ready: Promise<void> };
}

/** A plugin's part in one client, such as the guard of a contract. */
export interface PluggedIn {
  /** The plugin's send middleware, which encloses that of the `sending` option. */
  readonly sending?: readonly AnySendMiddleware[] | undefined;
  /**
   * Called once the connection is open. `connect` waits for it; if it rejects, the connection is closed and `connect`
   * rejects.
   */
  opened?(client: OpenClient): Promise<void>;
  /**
   * Called when previously fetched lists may be out of date.
   *
   * @param server - the description of the server, which may have replaced the previous one; absent if the client
   *   already has it
   * @returns a promise that messages to that server wait for
   */
  outdated?(server?: ServerDescription): Promise<void> | undefined;
}

/** Creates a plugin's part in a client. Called once for each client. */
export type ClientPlugin = (host: { report(error: Error): void }) => PluggedIn;

/** An extension that a client declares. `onExtension` adds the client's handlers and settings. */
export interface ClientExtension extends DescribedExtension {
  /** The settings that servers receive. Default: `{}`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Handlers for messages from servers that also declare the extension, by method. */
  readonly handlers?: object | undefined;
  /** Features that the extension adds to the client. */
  readonly features?: readonly Feature[] | undefined;
}

export interface ClientExtensionOptions<Described extends DescribedExtension> {
  /** The settings that servers receive. Default: `{}`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Handlers for requests and notifications, by method. */
  readonly handlers?: ClientHandlers<Described>;
}

type ClientHandlers<Described extends DescribedExtension> = {
  readonly [
    Method in keyof Described["requests"] | keyof Described["notifications"]
  ]?: Method extends keyof Described["requests"]
    ? Answer<Described["requests"][Method]>
    : Method extends keyof Described["notifications"]
      ? Reaction<Described["notifications"][Method]>
      : never;
};

type Answer<Message> =
  Message extends CustomRequest<infer Params, infer Result>
    ? (
        params: Params,
        context: HandlerContext,
      ) => GivenResult<Result> | Promise<GivenResult<Result>>
    : never;

type Reaction<Message> =
  Message extends CustomNotification<infer Params>
    ? (params: Params, context: HandlerContext) => void | Promise<void>
    : never;

/** Combines an extension with the client's handlers and settings, for `connect`'s `extensions` option. */
export function onExtension<Described extends DescribedExtension>(
  extension: Described,
  options: ClientExtensionOptions<Described>,
): ClientExtension {
  return { ...extension, ...options };
}
