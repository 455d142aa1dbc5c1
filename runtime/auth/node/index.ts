/** Parts of a client's authorization that need Node: `@mcp-codegen/auth/node`. */
export { loopback, type LoopbackOptions } from "./loopback.js";
export { fileStore, type FileStoreOptions } from "./file-store.js";
export { keychainStore, type KeychainStoreOptions } from "./keychain-store.js";
