/** Whether this is not where users are served, as far as the environment says. */
export function isDevelopment(): boolean {
  const { process } = globalThis as {
    readonly process?: { readonly env?: Record<string, string | undefined> };
  };
  return process?.env?.["NODE_ENV"] !== "production";
}
