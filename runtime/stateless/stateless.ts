import { ClientStateless } from "./client-stateless.js";
import type { LifecycleStrategy } from "../engine/index.js";
import { ServerStateless } from "./server-stateless.js";

/** Clients that say all about a request in it, so that there is no handshake (MCP: statelessness). */
export const clientStateless: object = ((opening) => (start) =>
  new ClientStateless(opening, start)) satisfies LifecycleStrategy;

/** Servers of the same. */
export const serverStateless: object = ((opening) => {
  const server = new ServerStateless(opening);
  return () => server;
}) satisfies LifecycleStrategy;
