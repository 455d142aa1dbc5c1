import { assertKnownNames } from "../../ground/index.js";
import type { IdentifyBy } from "../server/requests/authentication.js";
import type { HttpEndpoint } from "../server/handler.js";
import { NodeExchange, type NodeRequest, type NodeResponse } from "../node/node-exchange.js";

/** The parts of Fastify's request that the plugin uses. */
export interface FastifyRequestLike {
  readonly raw: NodeRequest;
  readonly body: unknown;
}

/** The parts of Fastify's reply that the plugin uses. */
export interface FastifyReplyLike {
  readonly raw: NodeResponse;
  hijack(): unknown;
}

/** The parts of a Fastify instance that the plugin uses. */
export interface FastifyLike<Request, Reply> {
  removeAllContentTypeParsers(): unknown;
  addContentTypeParser(
    type: string,
    parse: (request: Request, payload: NodeRequest, done: (error: null) => void) => void,
  ): unknown;
  all(path: string, route: (request: Request, reply: Reply) => void): unknown;
}

export interface FastifyPluginOptions<Request> {
  /** The handler's path. Default: `/mcp`. */
  readonly path?: string | undefined;
  /**
   * Identifies the sender if a hook has authenticated it. Return `"anonymous"` to admit the request without a sender;
   * the response is 401 if the result is undefined.
   */
  readonly auth?: IdentifyBy<Request> | undefined;
}

/**
 * Mounts a handler in a Fastify application: `app.register(fastifyPlugin(handler, { path: "/mcp" }))`. The handler reads
 * the bodies itself, so that the body of a refused request is not read.
 *
 * @example
 * ```ts
 * import fastify from "fastify";
 *
 * const app = fastify();
 * await app.register(fastifyPlugin(createHttpHandler(server), { path: "/mcp" }));
 * await app.listen({ port: 3000 });
 * ```
 */
export function fastifyPlugin<
  Request extends FastifyRequestLike = FastifyRequestLike,
  Reply extends FastifyReplyLike = FastifyReplyLike,
>(
  endpoint: HttpEndpoint,
  options: FastifyPluginOptions<Request> = {},
): (app: FastifyLike<Request, Reply>) => Promise<void> {
  assertKnownNames(options, ["path", "auth"], "fastifyPlugin");
  const route = fastifyRoute<Request, Reply>(endpoint, options);
  return async (app) => {
    app.removeAllContentTypeParsers();
    app.addContentTypeParser("*", (_request, _payload, done) => done(null));
    for (const path of [options.path ?? "/mcp", ...(endpoint.wellKnownPaths ?? [])]) {
      app.all(path, route);
    }
  };
}

/** Creates a route for applications in which Fastify parses the bodies: `app.all("/mcp", fastifyRoute(handler))`. */
export function fastifyRoute<
  Request extends FastifyRequestLike = FastifyRequestLike,
  Reply extends FastifyReplyLike = FastifyReplyLike,
>(
  endpoint: HttpEndpoint,
  { auth }: Pick<FastifyPluginOptions<Request>, "auth"> = {},
): (request: Request, reply: Reply) => void {
  if (typeof endpoint?.handle !== "function")
    throw new TypeError("A mount needs a handler: fastifyPlugin(createHttpHandler(server))");
  return (request, reply) => {
    const { raw } = request;
    const body = raw.readableDidRead ? request.body : undefined;
    const identify = auth && (() => auth(request));
    const exchange = new NodeExchange(raw, reply.raw, { body, identify });
    reply.hijack();
    void endpoint.handle(exchange);
  };
}
