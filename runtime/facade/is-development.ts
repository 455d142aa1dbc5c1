export function isDevelopment(): boolean {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Record<string, string | undefined> };
  };
  return process?.env?.["NODE_ENV"] !== "production";
}
