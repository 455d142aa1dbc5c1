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

/** Target of a connection: a URL, a command, or a transport. */
export type Target =
  string | URL | StdioTarget | Transport | (() => Transport | Promise<Transport>);

/** Handler of requests for input from the user, with a form or a web page. */
export type ElicitHandler = RequestHandler<
  FormElicitation | UrlElicitation,
  ElicitationAnswer,
  HandlerContext
>;

type RootOf<Types extends NeutralTypes> = ItemIn<AnswerOf<Types, "roots/list">, "roots"> &
  RootDefinition;

/** List of roots, or a whole result that contains it. */
export type ListedRoots<Types extends NeutralTypes> =
  | readonly RootOf<Types>[]
  | (MembersOf<AnswerOf<Types, "roots/list">> & { readonly roots: readonly RootOf<Types>[] });

/**
 * Handlers of the server's requests. Each handler is declared as a capability; handlers are the
 * same in every revision.
 */
export interface Answers<Types extends NeutralTypes = AnyTypes> {
  /**
   * Requests input from the user: one function for forms and web pages, or one for each kind that this client
   * supports. With `{ form, applyDefaults: true }`, the form's defaults fill in the fields that an accepted answer
   * omits.
   */
  readonly onElicit?: ElicitHandler | ElicitationOptions | undefined;
  /**
   * Time for which a request is repeated if the server refuses it until the user has visited a web page, in
   * milliseconds, but never longer than `maxTotalTimeout`. The user is sent to each page once. With 0, the user is
   * sent to no page, and the caller receives the server's error. Default: 600 000.
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
   * Abilities of `onSample` beyond a plain conversation.
   * @deprecated Sampling is deprecated in the newest revision: call a model of your own from the server.
   */
  readonly sampling?: SamplingOptions | undefined;
  /**
   * Places that the server may work in; `new Roots([…])` if they change.
   * @deprecated Roots are deprecated in the newest revision: take locations as arguments, resource URIs
   *   or configuration.
   */
  readonly roots?: readonly RootOf<Types>[] | Roots<RootOf<Types>> | undefined;
  /**
   * Returns the roots, or a whole result with them, for each request from the server.
   * @deprecated Roots are deprecated in the newest revision: take locations as arguments, resource URIs or configuration.
   */
  readonly onRoots?:
    ((context: HandlerContext) => ListedRoots<Types> | Promise<ListedRoots<Types>>) | undefined;
}

/** Options of `connect`. */
export interface ConnectOptions<Types extends NeutralTypes = AnyTypes>
  extends Answers<Types>, EndpointOptions<Types["clientCapabilities"], SomeMiddleware>, Steps {
  /** Name and version of this client. Default: `mcp-client`, version `0.0.0`. */
  readonly clientInfo?: Types["implementation"] | undefined;
  /**
   * Revisions to negotiate, or their ids such as `2025-11-25`, the most preferred first. Default:
   * all.
   */
  readonly revisions?: readonly (Revision | string)[] | undefined;
  /** Headers of every HTTP request, such as `Authorization`. */
  readonly headers?: HttpClientOptions["headers"];
  /** Logs in if a server requires it, such as `oauth({ … })` of `@mcp-codegen/auth/client`. */
  readonly auth?: HttpClientOptions["auth"] | undefined;
  /** HTTP options, for a URL. */
  readonly http?: HttpClientOptions | undefined;
  /** Options of the process, for a command. The options of the target take precedence. */
  readonly stdio?: Partial<StdioTarget> | undefined;
  /**
   * Cache of results that servers mark as fresh for a while. Default: on, for this client alone. If `headers` is a
   * function, the default is off, because the requests may belong to different accounts; to turn the cache on, name
   * the account: `{ partition: () => account.id }`.
   */
  readonly cache?: boolean | ResponseCacheOptions | undefined;
  /**
   * Cache for the eras of servers, so that they need not be probed again; false for none. Default: one cache for this
   * process, which keeps each era for an hour.
   */
  readonly eras?: EraCache | false | undefined;
  /**
   * Checks of structured results of `callTool` against the schemas that the server has listed. Default: for tools
   * that this client has listed; a schema that cannot be used is reported to `onerror`, and its results are accepted
   * without a check. True, or a compiler: all tools are listed before the first call, and a schema that cannot be
   * used makes calls reject. False: no results are checked.
   */
  readonly checkOutput?: boolean | SchemaCompiler | undefined;
  /**
   * Features that other packages add to the client, such as `contractGuard(…)` of
   * `@mcp-codegen/contract`.
   */
  readonly plugins?: readonly ClientPlugin[] | undefined;
  /**
   * Handlers by method, in addition to those above. Messages have the form of the newest revision; those that only an
   * older revision defines have its form.
   */
  readonly handlers?: HandlersOf<Types> | object | undefined;
  /** Extensions that this client declares, generated from their schemas or created with `onExtension`. */
  readonly extensions?: readonly ClientExtension[] | undefined;
  /**
   * Requests that are sent again, once, if the connection ends or breaks before their response. Default: lists, and
   * reads that one of `revisions` declares cacheable. True: also calls of tools that declare `readOnlyHint` or
   * `idempotentHint` in a list that this client has seen; only for servers that you trust to declare it correctly. A
   * function decides per request. False: no requests are sent again.
   */
  readonly retryLost?: RetryLost | undefined;
  /** Schedule for reopening an interrupted subscription. */
  readonly relisten?: Relisten | undefined;
}

/** Schedule for reopening a subscription. Times are in milliseconds; each failure doubles the wait. */
export interface Relisten {
  /** Wait after the first failure. Default: 500. */
  readonly initialDelay?: number | undefined;
  /** Longest wait. Default: 30 000. */
  readonly maxDelay?: number | undefined;
}

/** Server's description of itself, received when a session opens. */
export interface ServerDescription {
  readonly instructions?: unknown;
}

/** Client of any revision whose connection is open. */
export interface OpenClient {
  /** Id of the negotiated revision. */
  readonly revision: string;
  readonly server: { readonly capabilities?: unknown; readonly instructions?: unknown };
  /** Resolves when the connection is over. */
  readonly closed: Promise<unknown>;
  on(event: never, listener: () => void): { readonly ready: Promise<void> };
}

/** A plugin's part in one client, such as the guard of a contract. */
export interface PluggedIn {
  /** Send middleware of the plugin, which encloses that of the option `sending`. */
  readonly sending?: readonly AnySendMiddleware[] | undefined;
  /** Called once the connection is open. `connect` waits for it; if it rejects, the connection closes and `connect` rejects. */
  opened?(client: OpenClient): Promise<void>;
  /**
   * Called when lists that were fetched before may be out of date.
   * @param server - description of the server, which may have replaced the previous one; absent if the client already
   * has it
   * @returns a promise that messages to that server wait for
   */
  outdated?(server?: ServerDescription): Promise<void> | undefined;
}

/** Creates a plugin's part in a client. Called once for each client. */
export type ClientPlugin = (host: { report(error: Error): void }) => PluggedIn;

/** Extension that a client declares; `onExtension` adds the client's handlers and settings. */
export interface ClientExtension extends DescribedExtension {
  /** Settings that servers receive. Default: `{}`. */
  readonly settings?: Readonly<Record<string, unknown>> | undefined;
  /** Handlers for messages from servers that also declare the extension, by method. */
  readonly handlers?: object | undefined;
  /** Features that the extension adds to the client. */
  readonly features?: readonly Feature[] | undefined;
}

export interface ClientExtensionOptions<Described extends DescribedExtension> {
  /** Settings that servers receive. Default: `{}`. */
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

/**
 * Combines an extension with the client's handlers and settings, for the option `extensions` of
 * `connect`.
 */
export function onExtension<Described extends DescribedExtension>(
  extension: Described,
  options: ClientExtensionOptions<Described>,
): ClientExtension {
  return { ...extension, ...options };
}
