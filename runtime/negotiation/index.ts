export { clientOfAnyKind } from "./client-of-any-kind.js";
export { isHttpEvidence } from "./dual-client.js";
export { serverOfAnyKind } from "./server-of-any-kind.js";
