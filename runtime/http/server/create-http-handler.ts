import { type OnDemand, onDemand } from "../../ground/index.js";
import { type EndpointParts, endpointParts } from "./endpoint-parts.js";
import { type HttpEndpoint, type HttpHandler, webHandler } from "./handler.js";
import type { HttpHandlerOptions, Settings } from "./option-types.js";
import { settingsOf } from "./options.js";
import { accessControl } from "./requests/access.js";
import { answerForm, readMessage } from "./requests/body.js";
import {
  type Exchange,
  MIRROR_FIELDS,
  repetition,
  revisionOfRefusal,
} from "./requests/exchange.js";
import { failureOf, type Problem, PROBLEMS } from "./requests/problem.js";
import type { ServerInstance } from "./requests/server-instance.js";
import type { SessionEndpoint } from "./sessions/session-endpoint.js";
import type { SharingHost } from "./sessions/session-sharing.js";
import type { StatelessEndpoint } from "./stateless/stateless-endpoint.js";

/**
 * Creates a handler that serves MCP over Streamable HTTP: sessions and stateless requests at one URL, regardless of the
 * path. The handler is a function of a `Request`; for `node:http`, see `toNodeListener` and `listen` of
 * `@mcp-codegen/runtime/http/node`.
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
 * request could match, and for a value that is not a server
 */
export function createHttpHandler(
  server: ServerInstance,
  options: HttpHandlerOptions = {},
): HttpHandler {
  return webHandler(streamableEndpoint(server, settingsOf(options, "createHttpHandler")));
}

function streamableEndpoint(
  server: ServerInstance,
  settings: Settings<HttpHandlerOptions>,
): HttpEndpoint {
  const parts = endpointParts(server, settings);
  const { hasSessions, kept, kinds, life, posts, reading: budget, report, sharing } = parts;
  const methods = hasSessions ? ["GET", "POST", "DELETE"] : ["POST"];
  const access = accessControl(settings, methods, server.revisions, report);
  const refuse = (exchange: Exchange, refused: Problem): void =>
    exchange.refuse(refused, revisionOfRefusal(exchange, server.revisions));
  const endpoints = endpointsOnDemand(parts, refuse);
  /** The handler as seen by the other instances that share its sessions. */
  const shared: SharingHost = {
    get streams() {
      return parts.streams!;
    },
    sessionRevisions: parts.revisions.sessions,
    restore: async (session) => endpoints.whenSession(({ sessions }) => sessions.restore(session)),
  };
  sharing?.join(shared);

  const post = async (exchange: Exchange, isStateless: boolean): Promise<void> => {
    const form = answerForm(exchange.head.fields, settings);
    if (typeof form === "object") return refuse(exchange, form);
    if (!isStateless) return endpoints.whenSession((endpoint) => endpoint.post(exchange, form));
    const reading = await readMessage(exchange, settings.maxBodyBytes, budget, settings);
    if (reading.problem) return refuse(exchange, reading.problem);
    return endpoints.handleStateless(exchange, reading, form);
  };
  const handle = async (exchange: Exchange): Promise<void> => {
    life.enter(exchange);
    posts.arriving += 1;
    try {
      const admitted = access.admit(exchange);
      if (admitted !== true && !(await admitted)) return;
      const { method, fields } = exchange.head;
      const isStateless = method === "POST" && kinds.isStatelessHead(fields);
      // Repeated fields of a stateless request are detected later, when the fields are compared with its body.
      const repeated = isStateless ? undefined : exchange.repeatedField(MIRROR_FIELDS);
      if (repeated !== undefined) return refuse(exchange, repetition(repeated));
      const mayWait = life.state === "draining" && method !== "DELETE";
      if (life.state !== "open" && !life.accepts(exchange) && !mayWait)
        return refuse(exchange, PROBLEMS.closing);
      // POST and GET are let through even while the handler drains, because a request in progress may be waiting for
      // what they send.
      if (method === "POST") await post(exchange, isStateless);
      else if (method === "GET") await endpoints.whenSession((one) => one.get(exchange));
      else await endpoints.whenSession((one) => one.delete(exchange));
    } catch (error) {
      refuse(exchange, failureOf(error, report));
    } finally {
      posts.dispatched();
    }
  };

  return {
    wellKnownPaths: access.wellKnownPaths,
    handle,
    get sessions() {
      return endpoints.session?.sessions.size ?? 0;
    },
    get counts() {
      return {
        sessions: endpoints.session?.sessions.size ?? 0,
        requests: posts.size,
        requestBytes: posts.bytes,
        readingBytes: budget.bytes,
        streams: parts.streams?.live.size ?? 0,
        subscriptions: endpoints.stateless?.subscriptions ?? 0,
        keptBytes: kept.bytes,
        queued: endpoints.session?.sessions.queued ?? 0,
        unreadBytes: parts.streams?.unread.bytes ?? 0,
        refusals: life.refusals.all,
      };
    },
    get state() {
      return life.state;
    },
    health: life.health,
    leave: life.leave,
    async close(drain = 2000) {
      life.state = "draining";
      await posts.finish(drain);
      life.state = "closed";
      endpoints.stateless?.leave();
      endpoints.session?.sessions.close();
      await sharing?.part(shared);
    },
  };
}

/** The endpoints for the two kinds of requests. The code of each is loaded with its first request. */
interface EndpointsOnDemand {
  session?: SessionEndpoint;
  stateless?: StatelessEndpoint;
  readonly whenSession: OnDemand<SessionEndpoint>;
  readonly handleStateless: (
    ...contents: Parameters<StatelessEndpoint["handle"]>
  ) => void | Promise<void>;
}

function endpointsOnDemand(
  parts: EndpointParts,
  refuse: (exchange: Exchange, refused: Problem) => void,
): EndpointsOnDemand {
  const whenStateless = onDemand(async () => {
    const { StatelessEndpoint: Endpoint } = await import("./stateless/stateless-endpoint.js");
    endpoints.stateless ??= new Endpoint(parts);
    await endpoints.stateless.load();
    return endpoints.stateless;
  });
  const endpoints: EndpointsOnDemand = {
    whenSession: onDemand(async () => {
      const { SessionEndpoint: Endpoint } = await import("./sessions/session-endpoint.js");
      return (endpoints.session = new Endpoint(parts, endpoints.handleStateless));
    }),
    handleStateless: (exchange, reading, form) =>
      whenStateless((endpoint) => {
        if (parts.life.accepts(exchange)) endpoint.handle(exchange, reading, form);
        else refuse(exchange, PROBLEMS.closing);
      }),
  };
  return endpoints;
}
