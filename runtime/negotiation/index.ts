export { isHttpEvidence } from "./dual-client.js";
export { clientOfAnyKind, serverOfAnyKind } from "./kinds.js";
