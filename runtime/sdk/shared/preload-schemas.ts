/** Does nothing, because validators are compiled code. The function exists for programs that call the SDK's. */
export function preloadSchemas(): void {}
