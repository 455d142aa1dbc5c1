import { type LifecycleStrategy, lifecycleOf } from "../engine/index.js";
import { DualServer } from "./dual-server.js";

/** For `ServerBase`: servers of revisions of both kinds, with a handshake and without. */
export const serverOfAnyKind: object = ((opening) =>
  lifecycleOf(
    opening,
    ({ lifecycle }) => lifecycle,
    (both) => new DualServer(both),
  )) satisfies LifecycleStrategy;
