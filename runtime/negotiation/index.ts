export { clientOfAnyKind } from "./client-of-any-kind.js";
export { isHttpEvidence } from "./dual-client.js";
export type { Lifecycles } from "./dual-server.js";
export { serverOfAnyKind } from "./server-of-any-kind.js";
