/** Does nothing: validators are compiled code, and there is nothing to build before the first request. */
export function preloadSchemas(): void {}
