import type { ClientCapabilities, ServerCapabilities } from "./protocol-types.js";

/** Returns the elicitation modes that a client has declared; an empty object declares forms. */
export function getSupportedElicitationModes(
  capabilities: ClientCapabilities["elicitation"] | undefined,
): { supportsFormMode: boolean; supportsUrlMode: boolean } {
  if (!capabilities) return { supportsFormMode: false, supportsUrlMode: false };
  const supportsUrlMode = capabilities.url !== undefined;
  return { supportsFormMode: capabilities.form !== undefined || !supportsUrlMode, supportsUrlMode };
}

/** Merges capabilities. Objects that exist on both sides are merged property by property. */
export function mergeCapabilities(
  base: ServerCapabilities,
  additional: Partial<ServerCapabilities>,
): ServerCapabilities;
export function mergeCapabilities(
  base: ClientCapabilities,
  additional: Partial<ClientCapabilities>,
): ClientCapabilities;
export function mergeCapabilities(base: object, additional: object): object {
  const merged: Record<string, unknown> = { ...base };
  for (const [name, value] of Object.entries(additional)) {
    if (value === undefined) continue;
    const before = merged[name];
    merged[name] = isObject(before) && isObject(value) ? { ...before, ...value } : value;
  }
  return merged;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/** Returns an elicitation's parameters with the mode, which the SDK always sends. */
export function withMode<Params extends object>(params: Params): Params & { mode: string } {
  return "mode" in params ? (params as Params & { mode: string }) : { ...params, mode: "form" };
}
