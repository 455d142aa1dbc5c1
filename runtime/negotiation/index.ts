export { type Evidence, isHttpEvidence } from "./dual-client.js";
export { clientOfAnyKind, clientOfKindFound, serverOfAnyKind } from "./kinds.js";
