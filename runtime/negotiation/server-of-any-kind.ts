import type { LifecycleStrategy } from "../engine/index.js";
import { DualServer } from "./dual-server.js";
import { ofAnyKind } from "./of-any-kind.js";

/** Lifecycle of a `ServerBase` for session revisions, stateless ones, or both. */
export const serverOfAnyKind: LifecycleStrategy = (opening) =>
  ofAnyKind(
    opening,
    ({ lifecycle }) => lifecycle as LifecycleStrategy,
    ({ stateless }, sessions) => ({
      begin: (start) => new DualServer(stateless!, sessions.begin(start)),
      stateless,
    }),
  );
