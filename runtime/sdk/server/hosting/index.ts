export { isListening } from "../create-mcp-handler.js";
export { eraOf } from "../request-era.js";
