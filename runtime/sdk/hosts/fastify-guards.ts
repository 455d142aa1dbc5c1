import { guardsOf, type McpAppOptions } from "./node-guards.js";
import { guardRefusal } from "../server/hosting/index.js";
import {
  localhostAllowedHostnames,
  localhostAllowedOrigins,
  validateHostHeader,
  validateOriginHeader,
} from "../server/index.js";

import fastify, { type FastifyInstance } from "fastify";

/** Options of `createMcpFastifyApp`. */
export type CreateMcpFastifyAppOptions = McpAppOptions;

/** Creates a Fastify app that checks hosts and origins; Fastify parses JSON itself. */
export function createMcpFastifyApp(options: CreateMcpFastifyAppOptions = {}): FastifyInstance {
  const app = fastify();
  for (const guard of guardsOf(options, {
    hostHeaderValidation,
    localhostHostValidation,
    originValidation,
    localhostOriginValidation,
  }))
    app.addHook("onRequest", guard);
  return app;
}

interface FastifyRequestLike {
  readonly headers: {
    readonly host?: string | undefined;
    readonly origin?: string | undefined;
  };
}

interface FastifyReplyLike {
  code(status: number): { send(body: unknown): unknown };
}

/** Hook of Fastify: `app.addHook("onRequest", …)`. */
export type FastifyHook = (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<void>;

/** Hook that accepts requests for the listed host names only, with any port. */
export function hostHeaderValidation(allowedHostnames: string[]): FastifyHook {
  return ({ headers }, reply) => admit(reply, validateHostHeader(headers.host, allowedHostnames));
}

/** Hook that accepts requests for this machine only. */
export function localhostHostValidation(): FastifyHook {
  return hostHeaderValidation(localhostAllowedHostnames());
}

/** Hook that accepts requests from pages on the listed hosts, and requests that do not come from a page. */
export function originValidation(allowedOriginHostnames: string[]): FastifyHook {
  return ({ headers }, reply) =>
    admit(reply, validateOriginHeader(headers.origin, allowedOriginHostnames));
}

/** Hook that accepts requests from pages on this machine. */
export function localhostOriginValidation(): FastifyHook {
  return originValidation(localhostAllowedOrigins());
}

async function admit(
  reply: FastifyReplyLike,
  result: { ok: boolean; message?: string },
): Promise<void> {
  if (!result.ok) await reply.code(403).send(guardRefusal(result.message ?? ""));
}
