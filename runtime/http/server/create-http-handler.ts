import { onDemand, whenDone } from "../../ground/index.js";
import type { EndpointParts } from "./endpoint-parts.js";
import { type HttpEndpoint, type HttpHandler, webHandler } from "./handler.js";
import {
  type HandlerCounts,
  type HandlerHealth,
  HandlerLife,
  type HandlerState,
  reporter,
} from "./handler-state.js";
import { ByteBudget, LiveStreams, UnreadOutput } from "./limits.js";
import type { HttpHandlerOptions, Settings } from "./option-types.js";
import { settingsOf } from "./options.js";
import { type AccessControl, accessControl } from "./requests/access.js";
import { type AnswerForm, answerForm, type Reading, readMessage } from "./requests/body.js";
import { type Exchange, MIRROR_FIELDS, repetition } from "./requests/exchange.js";
import { PostsInFlight } from "./requests/posts-in-flight.js";
import { failureOf, type Problem, SHUTTING_DOWN } from "./requests/problem.js";
import {
  requestKinds,
  revisionOfRefusal,
  servedRevisions,
  type ServerInstance,
} from "./requests/revisions.js";
import type { SessionEndpoint } from "./sessions/session-endpoint.js";
import type { SharingHost } from "./sessions/session-sharing.js";
import type { StatelessEndpoint } from "./stateless/stateless-endpoint.js";

const whenSession = onDemand(() => import("./sessions/session-endpoint.js"));
const whenStateless = onDemand(() => import("./stateless/stateless-endpoint.js"));

/**
 * Creates a handler that serves MCP over Streamable HTTP: sessions and stateless requests at one URL, whatever the
 * path. The handler is a function of a `Request`; for `node:http`, see `toNodeListener` and `listen` of `@mcp-codegen/runtime/http/node`.
 *
 * @example
 * ```ts
 * import { listen } from "@mcp-codegen/runtime/http/node";
 *
 * const handler = createHttpHandler(server, { allowedHosts: ["mcp.example.com"] });
 * await listen(handler, { port: 3000 }); // or, elsewhere: export default { fetch: handler }
 * ```
 *
 * @throws TypeError for unknown options and invalid values, for an entry of `allowedHosts` or `allowedOrigins` that no
 *   request could match, and for a value that is not a server
 */
export function createHttpHandler(
  server: ServerInstance,
  options: HttpHandlerOptions = {},
): HttpHandler {
  return webHandler(new StreamableEndpoint(server, settingsOf(options, "createHttpHandler")));
}

/** The one endpoint of Streamable HTTP (MCP: transports). The code of either kind of requests loads with the first of them. */
class StreamableEndpoint implements HttpEndpoint {
  readonly wellKnownPaths: readonly string[];
  readonly #parts: EndpointParts;
  readonly #access: AccessControl;
  readonly #life: HandlerLife;
  /** Handler as the other instances of shared sessions see it. */
  readonly #shared: SharingHost | undefined;
  #sessions: SessionEndpoint | undefined;
  #stateless: StatelessEndpoint | undefined;

  constructor(server: ServerInstance, settings: Settings<HttpHandlerOptions>) {
    const revisions = servedRevisions(server);
    const report = reporter(settings.onerror);
    const hasSessions = revisions.sessions.length > 0 && settings.sessions !== false;
    const isShared = hasSessions && typeof settings.sessions === "object";
    const sharing = isShared ? settings.sessions : undefined;
    const streams = {
      store: sharing?.events,
      maxAnswerBytes: settings.maxAnswerBytes,
      unread: new UnreadOutput(settings, report),
      retry: settings.retry,
      live: new LiveStreams(settings.keepAlive),
      report,
    };
    this.#life = new HandlerLife(sharing && { sessions: () => sharing.check() });
    this.#parts = {
      server,
      settings,
      revisions,
      kinds: requestKinds(server.revisions),
      hasSessions,
      sharing,
      streams,
      life: this.#life,
      posts: new PostsInFlight(settings),
      reading: new ByteBudget(settings.maxBytesUnderWay),
      kept: new ByteBudget(settings.maxBytesKept),
      report,
    };
    if (sharing) this.#shared = this.#share(sharing);
    const methods = hasSessions ? ["GET", "POST", "DELETE"] : ["POST"];
    this.#access = accessControl(settings, methods, server.revisions, report);
    this.wellKnownPaths = this.#access.wellKnownPaths;
  }

  get sessions(): number {
    return this.#sessions?.size ?? 0;
  }

  get counts(): HandlerCounts {
    const { kept, posts, reading, streams } = this.#parts;
    return {
      sessions: this.sessions,
      requests: posts.size,
      requestBytes: posts.bytes,
      readingBytes: reading.bytes,
      streams: streams.live.size,
      subscriptions: this.#stateless?.subscriptions ?? 0,
      keptBytes: kept.bytes,
      queued: this.#sessions?.queued ?? 0,
      unreadBytes: streams.unread.bytes,
      refusals: this.#life.refusals.all,
    };
  }

  get state(): HandlerState {
    return this.#life.state;
  }

  health(timeout?: number): Promise<HandlerHealth> {
    return this.#life.health(timeout);
  }

  async handle(exchange: Exchange): Promise<void> {
    const { kinds, posts, report } = this.#parts;
    this.#life.enter(exchange);
    posts.arrived();
    try {
      const admitted = this.#access.admit(exchange);
      if (admitted !== true && !(await admitted)) return;
      const { method, fields } = exchange.head;
      const isStateless = method === "POST" && kinds.isStatelessHead(fields);
      // The fields of a stateless request are compared with its body.
      const repeated = isStateless ? undefined : exchange.repeatedField(MIRROR_FIELDS);
      if (repeated !== undefined) return this.#refuse(exchange, repetition(repeated));
      if (!this.#life.accepts(exchange) && (this.state !== "draining" || method === "DELETE"))
        return this.#refuse(exchange, SHUTTING_DOWN);
      // While the handler drains, a request in progress may wait for the content of a POST or a
      // GET.
      if (method === "POST") await this.#post(exchange, isStateless);
      else if (method === "GET") await this.#whenSession((sessions) => sessions.get(exchange));
      else await this.#whenSession((sessions) => sessions.delete(exchange));
    } catch (error) {
      this.#refuse(exchange, failureOf(error, report));
    } finally {
      posts.dispatched();
    }
  }

  leave(): void {
    this.#life.leave();
  }

  async close(drain = 2000): Promise<void> {
    this.#life.state = "draining";
    await this.#parts.posts.finish(drain);
    this.#life.state = "closed";
    this.#stateless?.leave();
    this.#sessions?.close();
    if (this.#shared) await this.#parts.sharing?.part(this.#shared);
  }

  /** Begins to share the sessions. @throws TypeError if those of another handler are shared already */
  #share(sharing: NonNullable<EndpointParts["sharing"]>): SharingHost {
    const host: SharingHost = {
      streams: this.#parts.streams,
      sessionRevisions: this.#parts.revisions.sessions,
      restore: async (session) => this.#whenSession((sessions) => sessions.restore(session)),
    };
    sharing.join(host);
    return host;
  }

  async #post(exchange: Exchange, isStateless: boolean): Promise<void> {
    const { reading: budget, settings } = this.#parts;
    const form = answerForm(exchange.head.fields, settings);
    if (typeof form === "object") return this.#refuse(exchange, form);
    if (!isStateless) return this.#whenSession((sessions) => sessions.post(exchange, form));
    const reading = await readMessage(exchange, settings.maxBodyBytes, budget, settings);
    if (reading.problem) return this.#refuse(exchange, reading.problem);
    return this.#handleStateless(exchange, reading, form);
  }

  readonly #handleStateless = (
    exchange: Exchange,
    reading: Reading,
    form: AnswerForm,
  ): void | Promise<void> =>
    whenStateless((module) => {
      const stateless = (this.#stateless ??= new module.StatelessEndpoint(this.#parts));
      return whenDone(stateless.load(), () => {
        if (!this.#life.accepts(exchange)) return this.#refuse(exchange, SHUTTING_DOWN);
        stateless.handle(exchange, reading, form);
      });
    });

  #whenSession<Result>(
    use: (sessions: SessionEndpoint) => Result,
  ): Result | Promise<Awaited<Result>> {
    return whenSession((module) => {
      this.#sessions ??= new module.SessionEndpoint(this.#parts, this.#handleStateless);
      return use(this.#sessions);
    });
  }

  #refuse(exchange: Exchange, refused: Problem): void {
    exchange.refuse(refused, revisionOfRefusal(exchange, this.#parts.server.revisions));
  }
}
