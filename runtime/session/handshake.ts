import { ClientHandshake } from "./client-handshake.js";
import { beforeInitialize, whileInitializing } from "./early-binding.js";
import type { LifecycleStrategy } from "../engine/index.js";
import { ServerHandshake } from "./server-handshake.js";

/** Clients of sessions (MCP: lifecycle, initialization). */
export const clientHandshake: LifecycleStrategy = (opening) => {
  const { revisions, bind } = opening;
  const early = whileInitializing(revisions, bind(revisions[0]!));
  return { begin: (start) => new ClientHandshake(opening, early, start) };
};

/** Servers of sessions. */
export const serverHandshake: LifecycleStrategy = (opening) => {
  const early = beforeInitialize(opening.revisions);
  return { begin: (start) => new ServerHandshake(opening, early, start) };
};
