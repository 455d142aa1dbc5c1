import fastify, { type FastifyInstance } from "fastify";
import { guardsOf, type McpAppOptions } from "./app-guards.js";
import * as guards from "./fastify-guards.js";

/** Options of `createMcpFastifyApp`. */
export type CreateMcpFastifyAppOptions = McpAppOptions;

/** Makes a Fastify app that guards hosts and origins; Fastify parses JSON by itself. */
export function createMcpFastifyApp(options: CreateMcpFastifyAppOptions = {}): FastifyInstance {
  const app = fastify();
  for (const guard of guardsOf(options, guards)) app.addHook("onRequest", guard);
  return app;
}
