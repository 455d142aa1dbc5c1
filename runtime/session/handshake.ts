import type { Binding, LifecycleStrategy, Opening } from "../engine/index.js";
import { messageRules } from "../rules/index.js";
import { questionRules } from "./ask-on-wire.js";
import { ClientHandshake } from "./client-handshake.js";
import type { Revision } from "../wire/index.js";
import { beforeInitialize, whileInitializing } from "./early-binding.js";
import { ServerHandshake } from "./server-handshake.js";

/** Clients of sessions (MCP: lifecycle, initialization). */
export const clientHandshake: LifecycleStrategy = (opening) => {
  const { revisions } = opening;
  const bind = binder(opening);
  const early = whileInitializing(revisions, bind(revisions[0]!));
  return { begin: (start) => new ClientHandshake(opening, bind, early, start) };
};

/** Servers of sessions. */
export const serverHandshake: LifecycleStrategy = (opening) => {
  const early = beforeInitialize(opening.revisions);
  const bind = binder(opening);
  return { begin: (start) => new ServerHandshake(opening, bind, early, start) };
};

function binder({ definition, bind }: Opening): (revision: Revision) => Binding {
  const sources = [...messageRules(definition), questionRules];
  return (revision) => bind(revision, sources);
}
