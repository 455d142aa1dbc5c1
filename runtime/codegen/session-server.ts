/** Base class and lifecycle of generated servers of sessions. */
export { ServerBase } from "../engine/index.js";
export { serverHandshake } from "../session/index.js";
