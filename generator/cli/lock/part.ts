/** Modules of `lock` that need packages beside this one. */
export { contractDiff } from "../../contract/diff/contract-diff.js";
export { readingOf } from "../../contract/lock/lock-file.js";
export { lockServer } from "../../contract/lock/lock-server.js";
export { readLock } from "../../contract/lock/read-lock.js";
export { serverName } from "./server-name.js";
export { lockText } from "../../contract/lock/write-lock.js";
