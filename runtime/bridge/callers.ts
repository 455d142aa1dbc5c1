import { META, type Session } from "@mcp-codegen/runtime";
import type { AskingContext } from "@mcp-codegen/universal/server";
import { ABILITIES } from "./protocol.js";

/** Capabilities of a client, by family. */
export type Abilities = Readonly<Record<string, unknown>>;

/** Sender of requests, who has conversations of its own with upstream servers. */
export interface Caller {
  /** Identity of the caller: its session, its principal, or its connection. */
  readonly key: object | string;
  /** Session whose end is the end of the caller; undefined for stateless requests. */
  readonly session: Session | undefined;
}

/** Sender of a request, as far as the request identifies it. */
export type Sender = Pick<AskingContext, "auth" | "session"> & {
  readonly client: { readonly capabilities: unknown };
};

/** True if the requests of a session are self-contained. */
export function isStateless({ revision }: Session): boolean {
  return revision.traits.lifecycle !== "initialize";
}

/** Returns the caller of a request; undefined for stateless requests over HTTP that are not authenticated. */
export function callerOf({ auth, session }: Sender): Caller | undefined {
  if (!isStateless(session)) return { key: session, session };
  const key = auth === undefined ? session.connection : `principal ${auth.principal}`;
  return key === undefined ? undefined : { key, session: undefined };
}

/** Abilities that a request declares, as far as requests of servers can be forwarded to its sender. */
export function abilitiesOf({ client }: Sender): Abilities {
  const declared = client.capabilities as Abilities;
  const own = [...ABILITIES, "experimental", "extensions"].flatMap((family) => {
    const value = Object.hasOwn(declared, family) ? declared[family] : undefined;
    return value === undefined || value === null ? [] : [[family, value] as const];
  });
  return Object.fromEntries(own);
}

/** True if a client with these abilities can answer some question. */
export function canAnswer(abilities: Abilities): boolean {
  return ABILITIES.some((one) => Object.hasOwn(abilities, one));
}

/** True if everything that `less` declares is declared by `more`. */
export function covers(more: unknown, less: unknown): boolean {
  if (!isRecord(less)) return more === less || isRecord(more);
  return (
    isRecord(more) &&
    Object.entries(less).every(
      ([name, value]) => Object.hasOwn(more, name) && covers(more[name], value),
    )
  );
}

export function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

const OF_ONE_CONVERSATION: ReadonlySet<string> = new Set([...Object.values(META), "progressToken"]);

/** `_meta` without the members that belong to the conversation that carried it. */
export function carriedMeta(meta: unknown): Readonly<Record<string, unknown>> | undefined {
  if (!isRecord(meta)) return undefined;
  const entries = Object.entries(meta).filter(([name]) => !OF_ONE_CONVERSATION.has(name));
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

/** A result of another server, without the members that the engine adds to results. */
export function carriedResult(result: unknown): Record<string, unknown> {
  const whole = result as Record<string, unknown>;
  if (whole["_meta"] === undefined && whole["resultType"] === undefined) return whole;
  const { _meta, resultType, ...members } = whole;
  const meta = carriedMeta(_meta);
  return {
    ...members,
    ...(resultType !== undefined && resultType !== "complete" && { resultType }),
    ...(meta !== undefined && { _meta: meta }),
  };
}

/** Lets the process end although a timer is set. */
export function unref<Timer>(timer: Timer): Timer {
  (timer as { unref?: () => void }).unref?.();
  return timer;
}
