/** The base class and lifecycle of generated clients that use sessions. */
export { ClientBase } from "../engine/index.js";
export { clientHandshake } from "../session/index.js";
