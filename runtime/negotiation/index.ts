export {
  type Evidence,
  clientOfAnyKind,
  clientOfKindFound,
  isHttpEvidence,
} from "./dual-client.js";
export { serverOfAnyKind } from "./dual-server.js";
