/** Does nothing. Validators are compiled code, so that nothing has to be built before the first request. */
export function preloadSchemas(): void {}
