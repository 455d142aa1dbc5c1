import { type GuardKit, guardKit, guardsOf, type McpAppOptions } from "./node-guards.js";

import fastify, { type FastifyInstance } from "fastify";

/** Options of `createMcpFastifyApp`. */
export type CreateMcpFastifyAppOptions = McpAppOptions;

/** Creates a Fastify app that checks hosts and origins. Fastify itself parses JSON. */
export function createMcpFastifyApp(options: CreateMcpFastifyAppOptions = {}): FastifyInstance {
  const app = fastify();
  for (const guard of guardsOf(options, guards)) app.addHook("onRequest", guard);
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

/** A Fastify hook: `app.addHook("onRequest", …)`. */
export type FastifyHook = (request: FastifyRequestLike, reply: FastifyReplyLike) => Promise<void>;

const guards: GuardKit<FastifyHook> = /* @__PURE__ */ guardKit(
  (check) =>
    async ({ headers }, reply) => {
      const refusal = check((name) => headers[name]);
      if (refusal) await reply.code(403).send(refusal);
    },
);

/** Returns a hook that accepts only requests for the listed host names, with any port. */
export const hostHeaderValidation: GuardKit<FastifyHook>["hostHeaderValidation"] =
  guards.hostHeaderValidation;
/** Returns a hook that accepts only requests whose `Host` is a localhost name or address, with any port. */
export const localhostHostValidation: GuardKit<FastifyHook>["localhostHostValidation"] =
  guards.localhostHostValidation;
/** Returns a hook that accepts requests from pages on the listed hosts, and requests that do not come from a page. */
export const originValidation: GuardKit<FastifyHook>["originValidation"] = guards.originValidation;
/** Returns a hook that accepts requests from pages on this machine, and requests that do not come from a page. */
export const localhostOriginValidation: GuardKit<FastifyHook>["localhostOriginValidation"] =
  guards.localhostOriginValidation;
