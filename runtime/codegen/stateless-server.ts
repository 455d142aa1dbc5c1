/** The base class and lifecycle of generated servers that handle stateless requests. */
export { ServerBase } from "../engine/index.js";
export { serverStateless } from "../stateless/index.js";
