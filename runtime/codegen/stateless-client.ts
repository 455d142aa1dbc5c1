/** Base class and lifecycle of generated clients of stateless requests. */
export { ClientBase } from "../engine/index.js";
export { clientStateless } from "../stateless/index.js";
