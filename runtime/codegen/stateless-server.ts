/** Base class and lifecycle of generated servers of stateless requests. */
export { ServerBase } from "../engine/index.js";
export { serverStateless } from "../stateless/index.js";
