import type { Revision } from "./revision.js";

const NAMES = [
  "HEADER_MISMATCH",
  "MISSING_REQUIRED_CLIENT_CAPABILITY",
  "UNSUPPORTED_PROTOCOL_VERSION",
] as const;

/** Codes of errors that only servers of stateless requests give (MCP: versioning, compatibility). */
export function statelessErrors({ traits, errorCodes }: Revision): readonly number[] {
  if (traits.lifecycle !== "discover") return [];
  return NAMES.flatMap((name) => errorCodes[name] ?? []);
}
