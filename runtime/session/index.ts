export { beforeHandshake, clientHandshake, serverHandshake } from "./handshake.js";
