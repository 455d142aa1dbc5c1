import type { LifecycleStrategy } from "../engine/index.js";
import { clientHandshake } from "../session/index.js";
import { clientStateless } from "../stateless/index.js";
import { DualClient } from "./dual-client.js";
import { ofAnyKind } from "./of-any-kind.js";

/** Lifecycle of a `ClientBase` for session revisions, stateless ones, or both. */
export const clientOfAnyKind: LifecycleStrategy = (opening) =>
  ofAnyKind(
    opening,
    ({ traits }) => (traits.lifecycle === "initialize" ? clientHandshake : clientStateless),
    (stateless, sessions, sessionRevisions) => ({
      begin: (start) => new DualClient(stateless, sessions, sessionRevisions, start),
    }),
  );
