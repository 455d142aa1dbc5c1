/** Modules of `contract client` and its like that need packages beside this one. */
export { emitContract } from "../../contract/emit/emit-contract.js";
export { readLock } from "../../contract/lock/read-lock.js";
