/** The base class and lifecycle of generated clients that send stateless requests. */
export { ClientBase } from "../engine/index.js";
export { clientStateless } from "../stateless/index.js";
