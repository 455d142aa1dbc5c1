import { ClientHandshake } from "./client-handshake.js";
import { beforeInitialize, whileInitializing } from "./early-binding.js";
import type { LifecycleStrategy } from "../engine/index.js";
import { ServerHandshake } from "./server-handshake.js";

/** Clients of conversations that open with a handshake (MCP: lifecycle, initialization). */
export const clientHandshake: object = ((opening) => {
  const { revisions, bind } = opening;
  const early = whileInitializing(revisions, bind(revisions[0]!));
  return (start) => new ClientHandshake(opening, early, start);
}) satisfies LifecycleStrategy;

/** Servers of the same. */
export const serverHandshake: object = ((opening) => {
  const early = beforeInitialize(opening.revisions);
  return (start) => new ServerHandshake(opening, early, start);
}) satisfies LifecycleStrategy;
