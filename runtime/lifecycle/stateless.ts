import type { LifecycleStrategy } from "./lifecycle.js";
import { ClientStateless } from "./client-stateless.js";
import { ServerStateless } from "./server-stateless.js";

/** Conversations without a handshake: each request says all about itself (MCP: statelessness). */
export const stateless: object = {
  client: (opening) => (start) => new ClientStateless(opening, start),
  server: (opening) => {
    const server = new ServerStateless(opening);
    return () => server;
  },
} satisfies LifecycleStrategy;
