export { beforeHandshake, clientHandshake } from "./client-handshake.js";
export { serverHandshake } from "./handshake.js";
