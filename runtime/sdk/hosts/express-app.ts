import express, { type Express, type RequestHandler } from "express";
import { guardsOf, type McpAppOptions } from "./app-guards.js";
import * as guards from "./express-guards.js";

/** Options of `createMcpExpressApp`. */
export interface CreateMcpExpressAppOptions extends McpAppOptions {
  /** Longest JSON body, such as `4mb`. Default: that of Express. */
  jsonLimit?: string | undefined;
}

/** Makes an Express app that parses JSON and guards hosts and origins. */
export function createMcpExpressApp(options: CreateMcpExpressAppOptions = {}): Express {
  const { jsonLimit } = options;
  const app = express();
  app.use(express.json(jsonLimit === undefined ? {} : { limit: jsonLimit }));
  for (const guard of guardsOf(options, guards)) app.use(guard as RequestHandler);
  return app;
}
