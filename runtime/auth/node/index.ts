/** The Node-specific parts of client authorization: `@mcp-codegen/auth/node`. */
export { loopback, type LoopbackOptions } from "./loopback.js";
export { fileStore, type FileStoreOptions } from "./file-store.js";
export { keychainStore, type KeychainStoreOptions } from "./keychain-store.js";
