/** Caches servers' results while they are fresh: `@mcp-codegen/runtime/facade/cache`. */
export {
  type CacheEntry,
  type CacheKey,
  type CacheSelection,
  MemoryResponseStore,
  type MemoryResponseStoreOptions,
  type ResponseStore,
  isSelected,
} from "./response-store.js";
export { ResponseCache, type ResponseCacheOptions } from "./response-cache.js";
