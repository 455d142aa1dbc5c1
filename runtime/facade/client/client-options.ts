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
  ClientOptions as EndpointOptions,
  ConnectOptions as Steps,
  HandlerContext,
  RequestHandler,
  SomeMiddleware,
} from "../../api/index.js";
import type { Revision, Transport } from "../../wire/index.js";
import type { HttpClientOptions } from "../../http/client/index.js";
import type { ResponseCacheOptions } from "../cache/index.js";
import type { AnyTypes, NeutralTypes } from "../server/neutral-types.js";
import type { ClientExtension } from "./client-extension.js";
import type { AnswerOf, HandlersOf, ItemIn, QuestionOf } from "./client-types.js";
import type { EraCache } from "./era-cache.js";
import type { StdioTarget } from "./stdio-target.js";

/** Where a server is: its URL, its command, or what carries messages to it. */
export type Target =
  string | URL | StdioTarget | Transport | (() => Transport | Promise<Transport>);

/** Answers a server that turns to the user, whether by a form or a web page. */
export type ElicitHandler = RequestHandler<
  FormElicitation | UrlElicitation,
  ElicitationAnswer,
  HandlerContext
>;

type RootOf<Types extends NeutralTypes> = ItemIn<AnswerOf<Types, "roots/list">, "roots"> &
  RootDefinition;

/** What the server may ask. What is there is declared; the handlers are the same at every revision. */
export interface Answers<Types extends NeutralTypes = AnyTypes> {
  /** Turns to the user: a function for forms and web pages alike, or one for each of what this client can do. */
  readonly onElicit?: ElicitHandler | ElicitationOptions | undefined;
  /** Asks this client's model; the place where the user gets to see, change and refuse what is asked. */
  readonly onSample?:
    | RequestHandler<
        QuestionOf<Types, "sampling/createMessage">,
        AnswerOf<Types, "sampling/createMessage">,
        HandlerContext
      >
    | undefined;
  /** What `onSample` can do beside a plain conversation. */
  readonly sampling?: SamplingOptions | undefined;
  /** Places that the server may work in; `new Roots([…])` where they change. */
  readonly roots?: readonly RootOf<Types>[] | Roots<RootOf<Types>> | undefined;
  /** Gives these places anew each time that the server asks. */
  readonly onRoots?:
    | ((context: HandlerContext) => readonly RootOf<Types>[] | Promise<readonly RootOf<Types>[]>)
    | undefined;
}

/** How to connect to a server, and what the client is to it. */
export interface ConnectOptions<Types extends NeutralTypes = AnyTypes>
  extends Answers<Types>, EndpointOptions<Types["clientCapabilities"], SomeMiddleware>, Steps {
  /** Who this client is. Default: `mcp-client`, version `0.0.0`. */
  readonly clientInfo?: Types["implementation"] | undefined;
  /** Those that may be agreed on, the preferred one first. Default: all. */
  readonly revisions?: readonly Revision[] | undefined;
  /** Sent with every HTTP request, such as `Authorization`. */
  readonly headers?: HttpClientOptions["headers"];
  /** For a URL. */
  readonly http?: HttpClientOptions | undefined;
  /** For a command, beside what the command itself says. */
  readonly stdio?: Partial<StdioTarget> | undefined;
  /**
   * Of results that servers say are fresh for a while. Default: on, for this client alone; off where `headers` is a
   * function, which may speak for one account after another: name the account then, `{ partition: () => account.id }`.
   */
  readonly cache?: boolean | ResponseCacheOptions | undefined;
  /** Remembers of which kind servers are. Default: as long as this process lives, an hour at most. */
  readonly eras?: EraCache | false | undefined;
  /**
   * Whether structured results of tools are checked against the schemas that the server has listed; true or what
   * makes the checks. Default: false.
   */
  readonly checkOutput?: boolean | SchemaCompiler | undefined;
  /**
   * Answers and reactions by method, beside those above, as the newest revision has them; or as an older one has, where
   * that is the only one.
   */
  readonly handlers?: HandlersOf<Types> | object | undefined;
  /** Extensions that this client declares: as they were generated from their schemas, or made with `onExtension`. */
  readonly extensions?: readonly ClientExtension[] | undefined;
  /** When to open a subscription again that was interrupted. */
  readonly relisten?: Relisten | undefined;
}

/** Times are in milliseconds; each failure doubles the wait. */
export interface Relisten {
  /** Default: 500. */
  readonly initialDelay?: number | undefined;
  /** Default: 30 000. */
  readonly maxDelay?: number | undefined;
}
