import type { OpenSession } from "@mcp-codegen/runtime";
import { revisions } from "@mcp-codegen/universal";
import type { Transport } from "../shared/index.js";

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
