export { clientHandshake, serverHandshake } from "./handshake.js";
