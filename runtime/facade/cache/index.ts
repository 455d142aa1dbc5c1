/** Results of servers, kept as long as they are fresh: `@mcp-codegen/runtime/facade/cache`. */
export { ResponseCache, type ResponseCacheOptions } from "./response-cache.js";
export { ResponseStore, type ResponseStoreOptions } from "./response-store.js";
