import { type Universal, loadUniversal } from "../../contract/universal.js";

/** Modules of `contract mock` that need packages beside this one. */
export { createHttpHandler } from "@mcp-codegen/runtime/http/server";
export { serveStdio } from "@mcp-codegen/runtime/stdio";
export { listen } from "@mcp-codegen/runtime/http/node";
export { readLock } from "../../contract/lock/read-lock.js";
export { mockServer } from "../../contract/mock/mock-server.js";
export const universal: Universal = await loadUniversal();
