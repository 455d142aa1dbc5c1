/** Modules of `contract mock` that need packages beside this one. */
export { createHttpHandler, serveStdio } from "@mcp-codegen/universal";
export { listen } from "@mcp-codegen/runtime/http/node";
export { readLock } from "../../contract/lock/read-lock.js";
export { mockServer } from "../../contract/mock/mock-server.js";
