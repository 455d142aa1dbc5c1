/** Modules of `new --from` that need packages beside this one. */
export { emitContract } from "../../contract/emit/emit-contract.js";
export { lockServer } from "../../contract/lock/lock-server.js";
export { lockOf } from "../../contract/lock/read-lock.js";
export { lockText } from "../../contract/lock/write-lock.js";
export { serverName } from "../lock/server-name.js";
export { visitServer } from "../lock/visit.js";
