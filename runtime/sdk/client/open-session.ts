import type { OpenSession, Revision } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal";
import { SdkError, SdkErrorCode, type Transport } from "../shared/index.js";
import type { ClientOptions } from "./client-options.js";

type Known = Pick<OpenSession, "revision" | "server">;

/** Capabilities of a server of which nothing is known but the name of a session: it refuses by itself what it cannot do. */
const EVERYTHING = {
  tools: { listChanged: true },
  prompts: { listChanged: true },
  resources: { subscribe: true, listChanged: true },
  completions: {},
  logging: {},
};

/** Sessions that transports go on with; they are completed when a client connects. */
const sessions = new WeakMap<
  Transport,
  { -readonly [Member in keyof OpenSession]: OpenSession[Member] }
>();

/** Session of which only the id may be known. */
export function sessionNamed(id: string, revision: string | undefined): OpenSession {
  const newest = revisions.find(({ traits }) => traits.lifecycle === "initialize")!;
  return { id, revision: revision ?? newest.id, server: { capabilities: EVERYTHING } };
}

/** Notes that a transport goes on with a session. */
export function noteSession(transport: Transport, session: OpenSession): void {
  sessions.set(transport, session);
}

/**
 * Completes the session of a transport with what its client remembers of it.
 * @returns false when the transport has a session, and nothing is known of its server
 */
export function completeSession(transport: Transport, known: Known | undefined): boolean {
  const session = sessions.get(transport);
  if (session && known) Object.assign(session, known);
  return session === undefined || known !== undefined;
}

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

const urls = new WeakMap<Transport, string>();

/** Notes where a transport leads. */
export function noteServer(transport: Transport, url: URL): void {
  urls.set(transport, url.href);
}

/**
 * URL of the server behind a transport; undefined where there is none. Nothing else tells servers apart in a store that they
 * share: a name is what a server says of itself.
 */
export function serverOf(transport: Transport): string | undefined {
  return urls.get(transport);
}
