/** Results of servers, kept as long as they are fresh: `@mcp-codegen/runtime/facade/cache`. */
export { MemoryResponseStore, type MemoryResponseStoreOptions } from "./memory-response-store.js";
export { ResponseCache, type ResponseCacheOptions } from "./response-cache.js";
export {
  type CacheEntry,
  type CacheKey,
  type CacheSelection,
  isSelected,
  type ResponseStore,
} from "./response-store.js";
