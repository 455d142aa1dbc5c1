export { StatelessServer } from "./stateless-server.js";
