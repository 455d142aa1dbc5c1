import type { ClientCapabilities } from "./message-types.js";

/** Ways of asking the user that a client has declared; an empty object means forms. */
export function getSupportedElicitationModes(
  capabilities: ClientCapabilities["elicitation"] | undefined,
): { supportsFormMode: boolean; supportsUrlMode: boolean } {
  if (!capabilities) return { supportsFormMode: false, supportsUrlMode: false };
  const supportsUrlMode = capabilities.url !== undefined;
  return { supportsFormMode: capabilities.form !== undefined || !supportsUrlMode, supportsUrlMode };
}
