import type { OpenSession, Revision } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal";
import { SdkError, SdkErrorCode, type Transport } from "../shared/index.js";
import { insideOf } from "../shared/internal/index.js";
import type { ClientOptions } from "./client-options.js";

type Known = Pick<OpenSession, "revision" | "server">;

/**
 * Returns the capabilities to assume for a server if only a session id is known. All capabilities are assumed, because
 * the server rejects what it does not support.
 */
function everything({ methods }: Revision): Readonly<Record<string, object>> {
  const all: Record<string, object> = {};
  for (const { capability = "" } of methods.values()) {
    const [side, name, part] = capability.split(".");
    if (side !== "server" || name === undefined) continue;
    all[name] = { ...all[name], ...(part !== undefined && { [part]: true }) };
  }
  return all;
}

export function sessionNamed(id: string, revision: string | undefined): OpenSession {
  const newest = revisions.find(({ traits }) => traits.lifecycle === "initialize")!;
  return { id, revision: revision ?? newest.id, server: { capabilities: everything(newest) } };
}

/**
 * Completes the session that a transport resumes with what the client knows about it. Returns false if the transport
 * resumes a session with an unknown server.
 */
export function completeSession(transport: Transport, known: Known | undefined): boolean {
  const session = insideOf(transport)?.session;
  if (session && known) Object.assign(session, known);
  return session === undefined || known !== undefined;
}

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
  const usable =
    mode === "auto" ? known : known.filter(({ traits }) => traits.lifecycle === "initialize");
  if (usable.length > 0) return usable;
  const text = "supportedProtocolVersions lists no revision that this client can negotiate";
  throw new SdkError(SdkErrorCode.EraNegotiationFailed, text);
}

/**
 * Returns the URL of the server behind a transport. In a shared store, servers can only be distinguished by URL,
 * because a server chooses its own name.
 */
export function serverOf(transport: Transport): string | undefined {
  return insideOf(transport)?.url;
}
