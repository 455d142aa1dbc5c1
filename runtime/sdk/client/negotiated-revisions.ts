import type { Revision } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal";
import { SdkError, SdkErrorCode } from "../shared/index.js";
import type { ClientOptions } from "./client-options.js";

/**
 * Revisions that a client negotiates, the preferred one first.
 * @throws SdkError when nothing is left
 */
export function negotiatedRevisions({
  versionNegotiation = {},
  supportedProtocolVersions,
}: ClientOptions): readonly Revision[] {
  const { mode = "legacy" } = versionNegotiation;
  const known = revisions.filter(({ id }) => supportedProtocolVersions?.includes(id) ?? true);
  if (typeof mode === "object") {
    const pinned = revisions.filter(({ id }) => id === mode.pin);
    if (pinned.length > 0) return pinned;
    throw new SdkError(SdkErrorCode.EraNegotiationFailed, `Unknown revision: ${mode.pin}`);
  }
  const wanted =
    mode === "auto" ? known : known.filter(({ traits }) => traits.lifecycle === "initialize");
  if (wanted.length > 0) return wanted;
  const text = "supportedProtocolVersions names no revision that this client can negotiate";
  throw new SdkError(SdkErrorCode.EraNegotiationFailed, text);
}
