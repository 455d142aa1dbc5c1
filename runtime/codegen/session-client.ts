/** Base class and lifecycle of generated clients of sessions. */
export { ClientBase } from "../engine/index.js";
export { clientHandshake } from "../session/index.js";
