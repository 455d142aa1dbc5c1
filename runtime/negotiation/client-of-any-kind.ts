import { type LifecycleStrategy, lifecycleOf } from "../engine/index.js";
import { DualClient } from "./dual-client.js";
import { clientHandshake } from "../session/index.js";
import { clientStateless } from "../stateless/index.js";

/** For `ClientBase`: clients of revisions with a handshake, without one, or of both. */
export const clientOfAnyKind: object = ((opening) =>
  lifecycleOf(
    opening,
    ({ traits }) => (traits.lifecycle === "initialize" ? clientHandshake : clientStateless),
    (both, shaken) => new DualClient(both, shaken),
  )) satisfies LifecycleStrategy;
