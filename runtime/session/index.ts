export { beforeHandshake, clientHandshake } from "./client-handshake.js";
export { serverHandshake } from "./server-handshake.js";
