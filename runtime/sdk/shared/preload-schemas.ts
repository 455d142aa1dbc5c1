/** Does nothing, because validators are compiled code. It exists for programs that call the SDK's function. */
export function preloadSchemas(): void {}
