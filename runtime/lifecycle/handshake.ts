import { ClientHandshake } from "./client-handshake.js";
import { beforeInitialize, whileInitializing } from "./early-binding.js";
import type { LifecycleStrategy } from "./lifecycle.js";
import { ServerHandshake } from "./server-handshake.js";

/** Conversations that open with a handshake (MCP: lifecycle, initialization). */
export const handshake: object = {
  client: (opening) => {
    const { revisions, bind } = opening;
    const early = whileInitializing(revisions, bind(revisions[0]!));
    return (start) => new ClientHandshake(opening, early, start);
  },
  server: (opening) => {
    const early = beforeInitialize(opening.revisions);
    return (start) => new ServerHandshake(opening, early, start);
  },
} satisfies LifecycleStrategy;
