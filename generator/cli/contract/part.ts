/** Modules of `contract diff` that need packages beside this one. */
export { lockDiff } from "../../contract/diff/lock-diff.js";
export { sarifOf } from "../../contract/diff/render-sarif.js";
export { readLock } from "../../contract/lock/read-lock.js";
