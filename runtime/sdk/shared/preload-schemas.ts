/** Does nothing: validators are compiled code, so nothing has to be built before the first request. */
export function preloadSchemas(): void {}
