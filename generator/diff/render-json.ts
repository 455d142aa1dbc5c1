import type { ProtocolDiff } from "./protocol-diff.js";

/** A diff for other tools: {@link ProtocolDiff} as JSON. */
export function renderJson(diff: ProtocolDiff): string {
  return `${JSON.stringify(diff, null, 2)}\n`;
}
