export { isListening } from "../create-mcp-handler.js";
export { eraOf } from "../request-era.js";
export { refusalOf } from "../auth/bearer-auth.js";
export { guardRefusal } from "../host-guards.js";
