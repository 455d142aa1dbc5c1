/** The base class and lifecycle of generated servers that use sessions. */
export { ServerBase } from "../engine/index.js";
export { serverHandshake } from "../session/index.js";
