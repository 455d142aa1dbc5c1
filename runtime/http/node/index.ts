export { listen, type Listening, type ListenOptions } from "./listen.js";
export { type NodeListener, type NodeListenerOptions, toNodeListener } from "./node-exchange.js";
