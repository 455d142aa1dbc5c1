import { lifecycleOf } from "./choose-lifecycle.js";
import { DualClient } from "./dual-client.js";
import { clientHandshake } from "./handshake.js";
import type { LifecycleStrategy } from "./lifecycle.js";
import { clientStateless } from "./stateless.js";

/** For `ClientBase`: clients of revisions with a handshake, without one, or of both. */
export const clientOfAnyKind: object = ((opening) =>
  lifecycleOf(
    opening,
    ({ traits }) => (traits.lifecycle === "initialize" ? clientHandshake : clientStateless),
    (both, shaken) => new DualClient(both, shaken),
  )) satisfies LifecycleStrategy;
